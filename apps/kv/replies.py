"""Compares the replies of two servers to the same batches.

Replies must have equal bytes, except
- CAS uniques: equal ones of one server must be equal ones of the other; if the second server has
  several ranks, that is for each key alone, because each rank counts for itself
- the remaining time of an item (t): within a second; of one that has just been made to expire, for
  which memcached gives 2^32 less than it is: also 0
- the time since its last access (l): to within a minute
- VERSION's text, the lines of statistics, and what follows the key in a reply to `me`
"""

import itertools

META = (b"HD", b"VA", b"EN", b"NS", b"EX", b"NF")


def parse(reply):
    """[(words of a line, data block or None)]; a last line that is not whole ends with b"..."."""
    found, at = [], 0
    while at < len(reply):
        end = reply.find(b"\r\n", at)
        if end < 0:
            found.append((reply[at:].split(b" ") + [b"..."], None))
            break
        words, at, data = reply[at:end].split(b" "), end + 2, None
        where = {b"VALUE": 3, b"VA": 1}.get(words[0])
        if where and len(words) > where and words[where].isdigit():
            size = int(words[where]) + 2
            data, at = reply[at : at + size], at + size
        if words[0] != b"STAT":
            found.append((words, data))
    return found


def is_number(word):
    return word.isdigit() or (word[:1] == b"-" and word[1:].isdigit())


class Comparison:
    """Remembers the CAS uniques that two servers have shown, the second one on so many ranks."""

    def __init__(self, ranks=1):
        self.ranks = ranks
        self.theirs = {}  # the second server's unique for the first one's
        self.ours = {}
        self.seen = {}  # key: [(first server's, second server's)]

    def unique(self, key, age, server):
        pairs = self.seen.get(key, ())
        return pairs[-1 - age][server] if age < len(pairs) else 1 << 60

    def first_difference(self, first, second):
        """None, or the number of the first parts that differ, and both (None behind the end)."""
        parts = itertools.zip_longest(parse(first), parse(second))
        for i, (a, b) in enumerate(parts):
            if a is None or b is None or not self.equal_part(a, b):
                return i, a, b
        return None

    def equal_part(self, a, b):
        if a == b and a[0][0] not in (b"VALUE", *META):
            return True
        (words, data), (others, other_data) = a, b
        if words[0] != others[0] or data != other_data:
            return False
        if words[0] == b"VERSION":
            return True
        if words[0] == b"ME":
            return words[:2] == others[:2]
        if len(words) != len(others):
            return False
        if words[0] == b"VALUE" and len(words) == 5:
            return words[:4] == others[:4] and self.same_unique(words[4], others[4], words[1])
        if words[0] not in META:
            return words == others
        key = next((word[1:] for word in words[1:] if word[:1] == b"k"), None)
        return all(self.equal_flag(x, y, key) for x, y in zip(words, others))

    def equal_flag(self, a, b, key):
        kind, x, y = a[:1], a[1:], b[1:]
        if kind != b[:1] or kind not in (b"c", b"t", b"l") or not (is_number(x) and is_number(y)):
            return a == b
        if kind == b"c":
            return self.same_unique(x, y, key)
        if kind == b"l":
            return abs(int(x) - int(y)) <= 60
        if int(x) >= 1 << 31:
            return int(y) == 0 or int(y) >= 1 << 31
        return (x == b"-1") == (y == b"-1") and abs(int(x) - int(y)) <= 1

    def same_unique(self, first, second, key):
        if not (first.isdigit() and second.isdigit()):
            return first == second
        a, b = int(first), int(second)
        if (a == 0) != (b == 0):
            return False
        if self.ranks > 1 and key is None:
            return True
        scope = key if self.ranks > 1 else None
        if (self.theirs.setdefault((scope, a), b) != b or
                self.ours.setdefault((scope, b), a) != a):
            return False
        if key is not None:
            pairs = self.seen.setdefault(key, [])
            if not pairs or pairs[-1] != (a, b):
                pairs.append((a, b))
                del pairs[:-5]
        return True
