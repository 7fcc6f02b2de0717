"""Batches of commands for a server that speaks memcached's text and meta protocols.

A batch is what one connection sends before it closes its side. Batches follow from a seed alone.
A command is a tuple of bytes and Unique, a place for a CAS unique that the server has given out.

Not generated, because a server may differ from memcached there:
- NUL bytes in lines; a batch that begins with byte 0x80 (memcached's binary protocol)
- items within some hundred bytes of the size limit: the bytes that an item needs beside its value
  are the server's own
- commands about memcached's threads, slabs and logs: cache_memlimit, debugtime, extstore, lru,
  lru_crawler, shutdown, slabs, watch, and what follows `stats` except `reset`
- numbers of 2^63 or more: memcached looks for a minus sign behind them, too (replies_test.py has a
  test of some)
- a decimal number that a batch both reads and changes: memcached makes a new item for it, which is
  not padded with spaces and was not fetched, while a reply with the old one is not sent yet
- ma with T on a number: if that grows, memcached gives the new expiry to the item that leaves
- lines of over 2048 bytes with other commands before them, also what is read as a line after a
  stated size that is wrong: memcached closes the connection if it has read as much without an end.
  Whether it has depends on time, and on where its reads of 16 KB end; so does what it has sent of
  the replies by then
- get, gets, gat or gats of a key that is too long, except alone in a batch: memcached then drops
  the replies that it has not sent yet; and keys before it, which memcached fetches or touches
- a batch that ends in the middle of a data block with other commands before it: memcached drops
  the replies that it has not sent yet
- times of expiry that pass during a run: these are in a test of their own
"""

import base64
import random
from typing import NamedTuple

MAX_KEY = 250
MAX_ITEM = 1 << 20
FILLER = b"mn\r\n" * 5  # ends a data block whose size was stated too large
MAX_OPEN_LINE = 2048


class Unique(NamedTuple):
    key: bytes  # as in replies
    age: int  # 0: the last one seen, 1: the one before


class Batch(NamedTuple):
    commands: list
    piece: int  # bytes that are sent at a time; 0: all


def text_of(commands, value_of):
    """The bytes of commands, in which value_of gives the number for a Unique."""
    parts = []
    for command in commands:
        for part in command:
            parts.append(b"%d" % value_of(part) if isinstance(part, Unique) else part)
    return b"".join(parts)


def has_long_line(command):
    """Whether a line, or a data block that were read as lines, has over 2048 bytes."""
    text = text_of([command], lambda unique: 1 << 64)
    return any(len(line) > MAX_OPEN_LINE for line in text.split(b"\n"))


PLAIN = [b"k%d" % i for i in range(24)] + [b"user:%d:name" % i for i in range(6)]
ODD = [b"a" * MAX_KEY, b"b" * 249, b"\xc3\xa9t\xc3\xa9", b"\x01\x02\x7f\xff", b"!@#$%^&*()", b"k"]
INVALID = [b"c" * (MAX_KEY + 1), b"d" * 300]
NUMBERS = [b"n%d" % i for i in range(8)]  # only decimal numbers
TEXTS = [b"text%d" % i for i in range(4)]  # never empty
ABSENT = [b"absent1", b"absent2"]
BINARY = [b"with space", b"\x00\x01\x02", b"tab\tbell\a", b"k1", b"k2", b"x" * 187, b"y" * 186]
BASE64 = [base64.b64encode(key) for key in BINARY]
BASE64_NUMBERS = [base64.b64encode(key) for key in NUMBERS[:3]]
NOT_BASE64 = [b"a", b"ab", b"abc", b"====", b"!!!!", b"YWJj=", b"YW Jj", b"YWJjZ", b"AAAA" * 63]

EXPIRIES = [b"0"] * 8 + [b"1000", b"5000", b"20000", b"2592000", b"2000000000", b"-1", b"2592001"]
BAD_NUMBERS = [b"abc", b"", b"1x", b"-", b"99999999999999999999", b"4294967296", b"-1", b"1.5"]
FLAGS = [b"0"] * 6 + [b"1", b"32", b"65535", b"4294967295"]
DECIMALS = [b"0", b"1", b"7", b"9", b"10", b"99", b"100", b"4611686018427387904",
            b"18446744073709551616", b"00012", b"5 ", b" 5", b"1a", b"99999999999999999999999"]
DELTAS = [b"1"] * 6 + [b"2", b"10", b"0", b"91", b"18446744073709551616", b"-1", b"x", b"5x"]
UNIQUES = [b"0", b"4611686018427387904", b"x", b"-1", b"18446744073709551615", b"18446744073709551616"]
SIZES = [0, 1, 2, 5, 10, 31, 64, 100, 500, 1000]
LARGE = [2000, 4000, 9000, 17_000, 70_000, 300_000, 520_000, 700_000, MAX_ITEM - 2000, MAX_ITEM + 1, 2 * MAX_ITEM]

META_FLAGS = {
    b"mg": b"bcfhklOqstvuNRT",
    b"ms": b"bcCFIkOqTM",
    b"md": b"bCIkOqT",
    b"ma": b"bCNJDTMqtcvkO",
    b"me": b"b",
    b"mn": b"",
}
ANY_FLAG = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0!-\xc3"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.reads_numbers = True
        self.kinds = [
            (30, self.retrieval), (24, self.storage), (8, self.unique_storage), (6, self.deletion),
            (10, self.arithmetic), (5, self.touch), (26, self.meta_get), (22, self.meta_set),
            (9, self.meta_delete), (12, self.meta_arithmetic), (2, self.meta_debug),
            (2, self.meta_noop), (3, self.administration), (5, self.malformed),
            (2, self.many)]
        self.weights = [weight for weight, _ in self.kinds]
        self.makers = [maker for _, maker in self.kinds]

    # ---- batches -------------------------------------------------------------------------------

    def batch(self, max_commands):
        r = self.random
        x = r.random()
        if x < 0.004:
            line = self.long_line()
            is_timeless = line[0].startswith(b"get ") or not line[0].endswith(b"\n")
            return Batch([line], r.choice([0, 0, 1000]) if is_timeless else 0)
        if x < 0.01:
            return Batch([self.retrieval(INVALID)], r.choice([0, 0, 1]))
        self.reads_numbers = r.random() < 0.4
        self.needs_filler = False
        count = min(max_commands, r.choice([1, 2, 5, 10, 20, 40, 80]))
        commands = [maker() for maker in r.choices(self.makers, self.weights, k=count)]
        if r.random() < 0.02:
            commands.insert(r.randrange(count), self.large_set())
        if self.needs_filler:  # a data block may be read as lines
            commands = [command for command in commands if not has_long_line(command)]
        if r.random() < 0.15:
            self.cut(commands)
        elif self.needs_filler:
            commands.append((FILLER,))
        size = sum(len(part) for command in commands for part in command if isinstance(part, bytes))
        piece = r.choice([1, 1, 2, 3, r.randrange(1, 100)]) if size < 1500 else r.choice([1460, 4096])
        return Batch(commands, piece if r.random() < 0.25 else 0)

    def cut(self, commands):
        """Leaves a part of the last command; only that if its data block is incomplete."""
        parts = list(commands[-1])
        where = self.random.randrange(len(parts))
        if isinstance(parts[where], bytes) and parts[where]:
            parts[where] = parts[where][: self.random.randrange(len(parts[where]))]
        commands[-1] = tuple(parts[: where + 1])
        if self.needs_filler or any(b"\n" in part for part in commands[-1]
                                    if isinstance(part, bytes)):
            commands[:-1] = []

    # ---- parts of commands ---------------------------------------------------------------------

    def end(self):
        return b"\n" if self.random.random() < 0.02 else b"\r\n"

    def key(self):
        r = self.random
        x = r.random()
        if x < 0.9:
            return r.choice(PLAIN)
        if x < 0.97:
            return r.choice(ODD)
        return r.choice(INVALID) if x < 0.99 else r.choice(BINARY[3:])

    def read_key(self):
        x = self.random.random()
        if x < 0.15:
            return self.random.choice(NUMBERS if self.reads_numbers else TEXTS)
        return self.random.choice(PLAIN if self.random.random() < 0.95 else ODD)

    def number(self, usual):
        if self.random.random() < 0.97:
            return self.random.choice(usual)
        self.needs_filler = True  # a data block behind it is read as lines
        return self.random.choice(BAD_NUMBERS)

    def expiry(self):
        return self.number(EXPIRIES)

    def noreply(self):
        x = self.random.random()
        return b"" if x < 0.8 else b" noreply" if x < 0.98 else b" noreplyx"

    def value(self):
        r = self.random
        size = r.choice(SIZES)
        if r.random() < 0.1:
            return (b"\r\nEND\r\nget k1\r\nVALUE k 0 3\r\n" * 200)[:size]
        return r.randbytes(size) if r.random() < 0.3 else (b"%d-" % r.randrange(1000) * size)[:size]

    def stated_size(self, value):
        r = self.random
        if r.random() < 0.97:
            return b"%d" % len(value)
        self.needs_filler = True
        return r.choice([b"%d" % (len(value) + r.choice([-1, 1, 2, -2, 10])), b"-1", b"-2147483648",
                         b"abc", b"", b"2147483647", b"2147483648", b"4294967296", b"1x"])

    def unique(self, key):
        x = self.random.random()
        if x < 0.7:
            return Unique(key, 0)
        return Unique(key, self.random.randrange(1, 4)) if x < 0.9 else self.random.choice(UNIQUES)

    # ---- text commands -------------------------------------------------------------------------

    def retrieval(self, others=()):
        r = self.random
        verb = r.choice([b"get", b"get", b"gets", b"gets", b"gat", b"gats"])
        count = r.choice([1, 1, 1, 1, 2, 3, 5])
        words = [verb] + ([self.expiry()] if verb[1:2] == b"a" else [])
        words += [self.read_key() for _ in range(count)]
        if others:
            words.insert(2 if verb[1:2] == b"a" else 1, r.choice(others))
        return (b" ".join(words) + self.end(),)

    def many(self):
        count = self.random.choice([10, 30, 100])
        verb = self.random.choice([b"get ", b"gets "])
        return (verb + b" ".join(self.read_key() for _ in range(count)) + self.end(),)

    def storage(self):
        r = self.random
        verb = r.choice([b"set", b"set", b"set", b"add", b"replace", b"append", b"prepend"])
        key, value = self.key(), self.value()
        if r.random() < 0.05:
            key, value = r.choice(TEXTS), r.choice([b"x", b"text", b"1x", b"0x1f", b"-"])
        if not self.reads_numbers and verb == b"set" and r.random() < 0.25:
            key, value = r.choice(NUMBERS), r.choice(DECIMALS)
        return (b"%s %s %s %s %s%s%s%s" % (
            verb, key, self.number(FLAGS), self.expiry(), self.stated_size(value), self.noreply(),
            self.end(), value) + b"\r\n",)

    def unique_storage(self):
        key, value = self.key(), self.value()
        return (b"cas %s %s %s %s " % (key, self.number(FLAGS), self.expiry(),
                                       self.stated_size(value)),
                self.unique(key), self.noreply() + self.end() + value + b"\r\n")

    def large_set(self):
        size = self.random.choice(LARGE if self.random.random() < 0.1 else LARGE[:5])
        name = self.random.choice([b"large1", b"large2"])
        return (b"set %s 0 0 %d\r\n" % (name, size) + b"v" * size + b"\r\nget large1 large2\r\n",)

    def deletion(self):
        return (b"delete %s%s%s%s" % (
            self.random.choice(NUMBERS) if not self.reads_numbers and self.random.random() < 0.1
            else self.key(),
            self.random.choice([b""] * 8 + [b" 0", b" 1", b" 0 noreply"]), self.noreply(),
            self.end()),)

    def arithmetic(self):
        r = self.random
        return (b"%s %s %s%s%s" % (r.choice([b"incr", b"decr"]), self.number_key(),
                                   r.choice(DELTAS), self.noreply(), self.end()),)

    def number_key(self):
        r = self.random
        if not self.reads_numbers and r.random() < 0.9:
            return r.choice(NUMBERS)
        return r.choice(r.choice([TEXTS, TEXTS, ABSENT, INVALID]))

    def touch(self):
        return (b"touch %s %s%s%s" % (self.key(), self.expiry(), self.noreply(), self.end()),)

    # ---- meta commands -------------------------------------------------------------------------

    def meta_flag(self, verb, letter, key):
        """A flag with its token, as a tuple."""
        r = self.random
        flag = bytes([letter])
        bad = r.random() < 0.03
        if letter in b"NT":
            return (flag + (r.choice(BAD_NUMBERS) if bad else self.expiry()),)
        if letter in b"R":
            tokens = BAD_NUMBERS if bad else [b"30", b"500", b"3000", b"10000"]
            return (flag + r.choice(tokens),)
        if letter in b"F":
            return (flag + self.number(FLAGS),)
        if letter in b"C":
            return (flag, self.unique(key))
        if letter in b"D":
            return (flag + r.choice(DELTAS),)
        if letter in b"J":
            return (flag + r.choice(DECIMALS[:8] if not bad else BAD_NUMBERS),)
        if letter in b"M":
            modes = b"IiDd+-" if verb == b"ma" else b"SER" if key in NUMBERS else b"SsEeAaPpRr"
            return (flag + (r.choice([b"", b"x", b"SS", b"set"]) if bad
                            else bytes([r.choice(modes)])),)
        if letter in b"O":
            return (flag + r.choice([b"1", b"opaque", b"12345", b"O" * 31, b"t5", b"k"]),)
        return (flag + (b"7" if bad else b""),)

    def meta(self, verb, key, first, value=b""):
        """A meta command with a random choice of flags after `first`."""
        r = self.random
        allowed = META_FLAGS[verb]
        count = min(len(allowed), r.choice([0, 1, 2, 2, 3, 4, 6, len(allowed)]))
        letters = r.sample(allowed, count) if r.random() < 0.97 else r.choices(ANY_FLAG, k=count)
        is_base64 = key in BASE64 or key in BASE64_NUMBERS
        if is_base64 != (ord("b") in letters) and r.random() < 0.95:
            letters = [x for x in letters if x != ord("b")] + ([ord("b")] if is_base64 else [])
        if ord("N") in letters and (key in TEXTS or r.random() < 0.5 or
                                    (verb != b"ma" and key in NUMBERS)):
            letters = [x for x in letters if x != ord("N")]
        if verb == b"ma" and key not in TEXTS:
            letters = [x for x in letters if x != ord("T")]
        command = [first]
        for letter in letters:
            command.append(b" ")
            command.extend(self.meta_flag(verb, letter, key))
        command.append(self.end() + value)
        return tuple(command)

    def meta_key(self, plain):
        r = self.random
        x = r.random()
        if x < 0.85:
            return plain
        return r.choice(BASE64) if x < 0.98 else r.choice(NOT_BASE64)

    def meta_get(self):
        key = self.meta_key(self.read_key() if self.random.random() < 0.97 else self.key())
        return self.meta(b"mg", key, b"mg " + key)

    def meta_set(self):
        key, value = self.meta_key(self.key()), self.value()
        if not self.reads_numbers and self.random.random() < 0.1:
            key, value = self.random.choice(NUMBERS), self.random.choice(DECIMALS)
        size = self.stated_size(value)
        if self.random.random() < 0.01:
            size = b"S" + size
        return self.meta(b"ms", key, b"ms %s %s" % (key, size), value + b"\r\n")

    def meta_delete(self):
        key = self.meta_key(self.key())
        return self.meta(b"md", key, b"md " + key)

    def meta_arithmetic(self):
        key = self.number_key()
        if not self.reads_numbers and self.random.random() < 0.1:
            key = self.random.choice(BASE64_NUMBERS)
        return self.meta(b"ma", key, b"ma " + key)

    def meta_debug(self):
        key = self.meta_key(self.read_key())
        return self.meta(b"me", key, b"me " + key)

    def meta_noop(self):
        return (self.random.choice([b"mn", b"mn", b"mn", b"mn x", b"mn "]) + self.end(),)

    # ---- the rest ------------------------------------------------------------------------------

    def administration(self):
        r = self.random
        if r.random() < 0.05:
            return (r.choice([b"flush_all", b"flush_all 0", b"flush_all noreply", b"flush_all x",
                              b"flush_all 0 noreply"]) + self.end(),)
        if r.random() < 0.05:
            return (r.choice([b"quit", b"quit now"]) + self.end(),)
        return (r.choice([b"version", b"version x", b"verbosity 0", b"verbosity", b"verbosity x",
                          b"verbosity 0 noreply", b"stats", b"stats reset"]) + self.end(),)

    def malformed(self):
        r = self.random
        x = r.random()
        if x < 0.5:  # a command that lost, got or changed something
            whole = text_of([r.choice(self.makers[:11])()], lambda unique: 5)
            line, newline, data = whole.partition(b"\n")
            words = line.rstrip(b"\r").split(b" ")
            change = r.randrange(5)
            if change == 0 and not data:
                words = words[: r.randrange(len(words))]
            elif change == 1:
                words.insert(r.randrange(len(words) + 1), r.choice([b"", b"x", b"noreply"]))
            elif change == 2:
                del words[r.randrange(len(words))]
            elif change == 3:
                words[0] = words[0].upper()
            else:
                words.extend([b"x"] * r.randrange(30))
            return (b" ".join(words) + self.end() + data,)
        if x < 0.8:
            line = r.randbytes(r.choice([1, 3, 10, 60])).translate(None, b"\n\0\r\x80")
            return (b"z" + line + self.end(),)
        return (r.choice([b"", b" ", b"   get k1", b"get", b"get ", b"gets", b"set", b"\t", b"GET k1",
                          b"get k1 ", b"get  k1  k2", b"mg", b"ms", b"ms k1", b"md", b"ma", b"me",
                          b"mx k1", b"m", b"incr k1", b"touch k1", b"gat 0", b"gat", b"delete",
                          b"cas k1 0 0 1", b"set k1 0 0", b"bogus", b"stats bogus x"])
                + self.end(),)

    def long_line(self):
        r = self.random
        if r.random() < 0.5:
            count = r.choice([100, 400, 1000])
            return (b"get " + b" ".join(r.choice(PLAIN) for _ in range(count)) + b"\r\n",)
        return (b"q" * r.choice([2000, 2040, 5000, 20000]) + r.choice([b"", b"\r\nget k1\r\n"]),)
