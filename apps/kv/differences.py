"""Finds batches that two servers answer differently, and the fewest commands that show it."""

import time
from typing import NamedTuple

from commands import Batch, Generator, text_of
from replies import Comparison
from servers import Exchange

MINIMIZE_LIMIT_S = 60


class Difference(NamedTuple):
    batches: list  # the last one is answered differently
    sent: tuple  # its bytes, for either server
    replies: tuple
    where: tuple  # the number of the first parts of the replies that differ, and both parts

    def text(self):
        lines = [f"{len(self.batches)} connections"]
        lines += ["before:    %s" % shown(text_of(batch.commands, lambda unique: 0))
                  for batch in self.batches[-6:-1]]
        how = f"{self.batches[-1].piece} bytes at a time" if self.batches[-1].piece else "at once"
        lines.append(f"then {how}: {shown(self.sent[0])}")
        if self.sent[1] != self.sent[0]:
            lines.append(f"(the second server got {shown(self.sent[1])})")
        for name, reply in zip(("first", "second"), self.replies):
            lines.append(f"{name + ' replied:':17}{shown(reply)}")
        at, *parts = self.where
        for name, part in zip(("first", "second"), parts):
            lines.append(f"part {at} of the {name}: {shown(repr(part).encode(), 400)}")
        return "\n".join(lines)


def shown(data, limit=1200):
    text = repr(data)[1:]
    return text if len(text) <= limit else text[:limit] + "..."


def first_difference(pair, batches, ranks=1):
    """The Difference at the first batch that the two servers answer differently, or None.

    `ranks`: of the second one.
    """
    comparison, done = Comparison(ranks), []
    for batch in batches:
        done.append(batch)
        sent = tuple(text_of(batch.commands, lambda u, s=s: comparison.unique(u.key, u.age, s))
                     for s in range(2))
        exchanges = [Exchange(server.address, data, batch.piece) for server, data in zip(pair, sent)]
        found = tuple(exchange.reply() for exchange in exchanges)
        where = comparison.first_difference(*found)
        if where:
            return Difference(done, sent, found, where)
    return None


def generated(seed, count):
    """Batches with `count` commands in all."""
    generator = Generator(seed)
    while count > 0:
        batch = generator.batch(count)
        count -= len(batch.commands)
        yield batch


class Minimizer:
    """Leaves out what a difference does not need, on servers that are started anew for each try."""

    def __init__(self, pair, found, ranks=1):
        self.pair, self.best, self.ranks = pair, found, ranks
        self.end = time.monotonic() + MINIMIZE_LIMIT_S

    def still_differs(self, batches):
        if time.monotonic() > self.end:
            return False
        for server in self.pair:
            server.restart()
        found = first_difference(self.pair, batches, self.ranks)
        if found:
            self.best = found
        return found is not None

    def run(self):
        """The smallest Difference found, or the first one if it does not happen again."""
        all_batches = self.best.batches
        tail = 1
        while tail < len(all_batches) and not self.still_differs(all_batches[-tail:]):
            tail *= 2
        self.bisect_last()
        self.leave_out_batches()
        self.leave_out_commands()
        return self.best

    def bisect_last(self):
        """The shortest prefix of the last batch that still differs."""
        *before, last = self.best.batches
        low, high = 0, len(last.commands)
        while high - low > 1:
            middle = (low + high) // 2
            if self.still_differs([*before, Batch(last.commands[:middle], last.piece)]):
                high = middle
            else:
                low = middle

    def leave_out_batches(self):
        size = len(self.best.batches) // 2
        while size > 0:
            at = 0
            while at + size < len(self.best.batches):
                batches = self.best.batches
                if not self.still_differs(batches[:at] + batches[at + size :]):
                    at += size
            size //= 2

    def leave_out_commands(self):
        for which in range(len(self.best.batches) - 1, -1, -1):
            size = 64
            while size > 0:
                at = 0
                while which < len(self.best.batches) and at < len(
                        self.best.batches[which].commands):
                    batches = list(self.best.batches)
                    batch = batches[which]
                    left = batch.commands[:at] + batch.commands[at + size :]
                    batches[which] = Batch(left, batch.piece)
                    if not left or not self.still_differs(batches):
                        at += size
                size //= 2
