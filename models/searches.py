"""The sizes at which check.py searches the models, and the faults that it plants."""

from dataclasses import dataclass, field


@dataclass
class Run:
    model: str
    sizes: dict = field(default_factory=dict)
    depth: int = 3_000_000
    fault: str = ""  # the planted fault; if set, an error is expected
    cycles: bool = False  # searches for endless runs, instead of deadlocks
    words: str = ""  # the sizes, in words
    level: str = "-O1"  # of optimization: where compiling takes longer than searching, less is more

    def defines(self):
        return [f"-D{name}={value}" for name, value in self.sizes.items()]

    def title(self):
        sizes = self.words or " ".join(
            f"{name.lower()} {value}" for name, value in self.sizes.items() if name != "MUTANT"
        )
        if self.cycles:
            sizes += ", cycles"
        return f"{sizes}: {self.fault}" if self.fault else sizes


def overtakes(threads, levels, size1, size2, passes, leave, thread):
    """The bound of topology_lock.pml: README.md, `How long one waits`."""
    elements = [
        lambda t: 0,
        lambda t: t // size1,
        lambda t: (t // size1, t % size1 // size2),
    ][:levels] + [lambda t: t]  # the last: a single thread

    def members(level, like):
        """The threads of the element of `level` that contains `like`, by the elements below it."""
        below = {}
        for t in range(threads):
            if elements[level](t) == elements[level](like):
                below.setdefault(elements[level + 1](t), []).append(t)
        return below

    def turn(level, like):
        """The max acquisitions of the element before it must give up the element above."""
        if level == levels:
            return 1
        below = members(level, like)
        most = max(turn(level + 1, some[0]) for some in below.values())
        return most if len(below) == 1 else (passes + 1) * most

    bound = 0
    for level in range(levels):
        mine = elements[level + 1](thread)
        others = {key: some for key, some in members(level, thread).items() if key != mine}
        # A thread that gives up leaves a node behind, and may return to it, so each thread counts.
        places = [
            turn(level + 1, some[0])
            for some in others.values()
            for _ in (some if leave else some[:1])
        ]
        bound = sum(places) + (len(places) + 1) * bound
    return bound


def mcs(threads, leave=0, **options):
    sizes = {"THREADS": threads, "LEAVE": leave, "BOUND": threads - 1}
    return Run("mcs_lock", sizes, **options)


def topology(threads, levels, size1, size2=0, passes=1, leave=0, watched=0, less=0, **options):
    size2 = size2 or size1
    bound = overtakes(threads, levels, size1, size2, passes, leave, watched) - less
    sizes = {"THREADS": threads, "LEVELS": levels, "SIZE1": size1}
    if levels > 2:
        sizes["SIZE2"] = size2
    sizes |= {"PASSES": passes, "LEAVE": leave, "WATCHED": watched, "BOUND": bound}
    return Run("topology_lock", sizes, **options)


def rw(readers, writers, reads=2, writes=2, passes=1, limit=1, leave=0, **options):
    sizes = {"READERS": readers, "WRITERS": writers, "READS": reads, "WRITES": writes}
    sizes |= {"PASSES": passes, "LIMIT": limit, "LEAVE": leave}
    return Run("rw_lock", sizes, **options)


# As in cached_array.pml, from bit 0 on.
VERBS = (
    "get set plus times pin_read pin_write pin_plus evict prefetch direct prefetch_plus "
    "region wake"
).split()
ALL = " ".join(VERBS)


def cached(*verbs, extra=3, evicts=1, **options):
    """`verbs`: for each rank the max operations of a thread, and what they may be."""
    sizes = {"EXTRA": extra, "EVICTS": evicts}
    for rank, words in enumerate(verbs):
        count, *names = words.split()
        sizes[f"OPS{rank}"] = int(count)
        sizes[f"VERBS{rank}"] = sum(1 << VERBS.index(name) for name in names)
    words = "; ".join(verbs).replace(ALL, "all")
    if extra < 3:
        words += f"; two threads at {extra}"
    if evicts != 1:
        words += f"; {evicts} evictions"
    return Run("cached_array", sizes, words=words, level="-Og", **options)


# As in object_region.pml, from bit 0 on.
REGION_VERBS = "get0 get1 set0 set1 peek evict shed ends".split()


def region(*verbs, extra=3, drops=1, moves=False, **options):
    """`verbs`: for each rank the max operations of a thread, and what they may be."""
    sizes = {"EXTRA": extra, "DROPS": drops}
    if moves:
        sizes["MOVES"] = 1
    for rank, words in enumerate(verbs):
        count, *names = words.split()
        sizes[f"OPS{rank}"] = int(count)
        sizes[f"VERBS{rank}"] = sum(1 << REGION_VERBS.index(name) for name in names)
    words = "; ".join(verbs)
    if extra < 3:
        words += f"; two threads at {extra}"
    if moves:
        words += "; migrates"
    return Run("object_region", sizes, words=words, level="-Og", **options)


def without_fence(*verbs, **options):
    """README.md, `A shared region`: the fence when the home is fetched from is not necessary."""
    run = region(*verbs, **options)
    run.sizes["MUTANT"] = 14
    run.words += "; no heavy fence"
    return run


def updates(*operations, in_place=True, **options):
    """`operations`: of each rank's thread."""
    sizes = {f"OPS{rank}": count for rank, count in enumerate(operations)}
    sizes["IN_PLACE"] = int(in_place)
    words = ", ".join(str(count) for count in operations) + " operations"
    words += ", in place" if in_place else ", by message"
    return Run("object_update", sizes, words=words, **options)


def inflated(enters, **options):
    return Run("object_monitor", {"ENTERS": enters}, **options)


def mutant(number, fault, run):
    run.sizes["MUTANT"] = number
    run.fault = fault
    run.level = "-O0"
    return run


def copies(readers, writers, ops, **options):
    sizes = {"READERS": readers, "WRITERS": writers, "OPS": ops}
    return Run("store_copies", sizes, **options)


RUNS = [
    copies(2, 2, 2),
    copies(2, 1, 3),
    *(
        mutant(number, fault, copies(2, 2, 2))
        for number, fault in (
            (1, "a copy that was recalled on its way is kept"),
            (2, "a recall before the copy leaves no note"),
            (3, "a copy is given while others are recalled"),
            (4, "an item is changed in spite of its mark"),
            (5, "an item is changed before all copies are dropped"),
        )
    ),
    mcs(2, leave=3),
    mcs(3, leave=7),
    mcs(4),
    topology(2, 2, 2, leave=3),
    topology(2, 2, 1, leave=3),
    *(topology(3, 2, 2, passes=p, watched=w) for p in (0, 1) for w in (0, 2)),
    topology(3, 2, 2, passes=2, watched=2),
    topology(3, 2, 2, leave=1),
    topology(2, 3, 2, 1, leave=3),
    topology(2, 3, 2, 2, leave=3),
    topology(3, 3, 2, 1),
    rw(2, 1, leave=1),
    rw(1, 2, leave=1),
    rw(2, 2, reads=1),
    rw(2, 2, reads=1, passes=0, limit=0),
    rw(3, 1, reads=1, limit=2),
    mutant(1, "does not wait to be removed", mcs(3, leave=7)),
    mutant(2, "gives up by a store", mcs(3, leave=7)),
    mutant(3, "takes itself off the tail by a store", mcs(3)),
    mutant(4, "gives by a store", mcs(3, leave=7)),
    mutant(5, "gives to two", mcs(3)),
    mutant(6, "gives up above, keeps what is below", topology(3, 2, 2, leave=2)),
    mutant(7, "looks at its own node above", topology(3, 2, 2)),
    mutant(8, "passes on without end", topology(3, 2, 2, watched=2)),
    *(
        topology(3, 2, 2, watched=watched, less=1, fault="the bound is one too small")
        for watched in (0, 2)
    ),
    mutant(1, "does not wait for readers inside", rw(1, 1)),
    mutant(2, "waits for a reader that has gone", rw(1, 1)),
    mutant(3, "passes on without end", rw(1, 2)),
    mutant(4, "waits until it sees the gate open", rw(1, 1)),
    mutant(5, "comes in beyond the limit", rw(2, 2)),
    cached("1 get set evict", "2 get set evict", "2 get set"),
    cached("2 get plus times", "2 plus times", "1 get plus times"),
    cached("1 get pin_plus evict", "2 set pin_plus evict", "1 get plus evict"),
    cached("2 get pin_read pin_write", "2 get set pin_read pin_write evict", "1 pin_read set"),
    cached("1 get set plus direct", "2 get times direct region", "1 get set direct"),
    cached(f"1 {ALL}", f"1 {ALL}", "1 get"),
    cached("1 get set", "1 get set evict", "1 set", extra=1),
    cached("1 get set plus evict", "1 get set times evict", "1 set plus direct", cycles=True),
    *(
        mutant(number, fault, cached(*verbs))
        for number, fault, *verbs in (
            (1, "leaves threads their operand lines", "1 get", "2 plus", "0"),
            (2, "merges operands twice", "1 get", "2 plus", "0"),
            (3, "an eviction drops operands", "1 get", "1 plus evict", "0"),
            (4, "a writer that goes on reading returns no data", "1 get", "1 set", "0"),
            (5, "a right goes while a thread is inside", "1 set", "2 get", "0"),
            (6, "a thread inside gets no notice", "1 set", "2 get", "0"),
            (7, "a pinned chunk is evicted", "0", "2 set pin_write evict", "1 set"),
            (8, "pins are ignored", "1 set", "1 pin_read", "0"),
            (9, "a chunk pinned for writing is kept for reading", "1 get", "1 pin_write", "0"),
            (10, "the same, pinned without the mutex", "1 get", "2 set pin_write", "0"),
            (11, "a thread that pins gets no notice", "1 set", "2 get pin_read", "0"),
            (12, "the direct right goes during an access", "1 set", "1 get direct", "0"),
            (13, "a right goes before its one access", "0", "1 set", "1 set"),
            (14, "a recall overtakes the grant, and is answered", "0", "1 set", "1 set"),
            (15, "a dropped copy is not sent again", "1 get", "2 get set evict", "0"),
            (16, "a second writer, without a recall", "0", "1 set", "1 set"),
            (17, "two operators at once", "0", "1 plus", "1 times"),
            (18, "the home reads beside a writer", "2 get", "1 get", "2 set"),
            (19, "a grant to write brings no data", "1 get", "1 set", "0"),
            (20, "a grant overtakes a write-back", "1 get", "1 set", "0"),
            (21, "a refused eviction is taken for done", "0", "2 set pin_write evict", "1 set"),
            (22, "a grant's operator is confused", "2 plus times", "2 set plus evict", "0"),
            (23, "a hit uses another operator's line", "0", "2 plus times", "1 plus"),
            (24, "who leaves answers no recall", "0", "1 set", "1 set"),
            (26, "a region includes chunks that are here", "0", "2 get set region", "1 get"),
            (27, "a recall of a dropped copy gets no answer", "1 set", "2 get evict", "0"),
            (28, "a copy is dropped while a thread is inside", "1 set", "2 get evict", "0"),
        )
    ),
    region("1 get0 set0 set1 ends", "1 get0 set0 set1 ends", "1 get0 set1 ends"),
    region("1 set0", "2 get0 set1 evict shed", "1 set0"),
    region("0", "1 set0 set1", "1 set0", extra=1),
    region("1 set0", "1 set1 shed", "0", extra=1),
    region("1 set0 set1", "1 set0", "1 get0", extra=0),
    region("1 peek set0 ends", "1 peek set1 get0", "1 set0 peek"),
    without_fence("1 set0 ends", "2 get0 set1", "1 get0 get1"),
    region("1 set0", "2 get0 set1 evict shed", "1 set0", moves=True),
    region("1 get0", "2 set0 ends", "1 get1 set1", moves=True),
    region("1 set1", "1 set0 set1", "0", extra=1, moves=True),
    *(
        mutant(number, fault, region(*verbs, moves=True))
        for number, fault, *verbs in (
            (28, "the home's thread goes on reading", "2 get0", "2 set0", "0"),
            (29, "the owner's changes are not stored", "1 get0", "2 set0", "0"),
            (30, "a grant is taken after the recall", "1 get1", "3 set0", "0"),
            (31, "gives back without a fence", "1 get0", "2 set0", "1 get1"),
            (32, "a later change is stored first", "1 get1", "3 set0", "0"),
            (34, "the owner's threads are not told", "1 get1", "3 set0", "1 get0"),
            (35, "goes on in a copy given back", "1 set0", "3 set0", "0"),
            (40, "a grant brings what is older than the owner's", "0", "2 set0 set1", "1 get0"),
            (41, "a change does not recall the region", "0", "2 set1", "2 set0"),
        )
    ),
    *(
        mutant(number, fault, region(*verbs))
        for number, fault, *verbs in (
            (1, "acknowledges before copies are revoked", "0", "1 get0", "1 set0"),
            (4, "leaves before changes are acknowledged", "0", "1 set0", "1 get0"),
            (5, "a copy is not listed", "1 set0", "2 get0", "0"),
            (8, "a late drop is taken for the new copy", "1 set0", "2 get0 evict", "0"),
            (9, "a writer keeps a stale copy", "1 set0", "2 get0 set1", "0"),
            (10, "the home changes, and tells nobody", "1 set0", "2 get0", "0"),
            (11, "a revocation overtakes the copy", "1 set0", "2 get0 get1", "0"),
            (12, "the home's writers are not told", "1 set0 ends", "2 get0 set1", "0"),
            (13, "kept while the home writes", "1 set0", "1 peek", "2 get0 get1"),
            (16, "the home reads, then notes the copy", "0", "1 get0 get1", "1 set0"),
            (17, "a copy stays kept when it is revoked", "1 set0", "2 get0", "0"),
            (18, "a listed copy is kept over a refresh", "1 set0", "2 get0", "0"),
            (19, "refreshes before it has entered", "1 set0", "2 get0", "0"),
            (21, "a verdict takes a kept copy back", "1 set0", "2 get0 set0", "0"),
            (23, "the home does not await revocations", "1 set0", "2 get0", "0"),
            (24, "ends without a fence", "1 set0 ends", "1 peek", "2 get0 set1"),
            (25, "revokes before it stores the change", "0", "1 get0 get1", "1 set0"),
            (27, "a verdict while the home writes", "1 set0", "1 peek", "2 get0 set1"),
            (36, "leaves before copies are revoked", "0", "1 get0", "1 set0"),
            (42, "a running thread is taken for one that waits", "1 set0", "2 get0 get1", "0"),
        )
    ),
    *(
        mutant(number, fault, region(*verbs, extra=1))
        for number, fault, *verbs in (
            (2, "the twin is not updated", "0", "1 set0 set1", "1 set0"),
            (3, "a fetch replaces what was written", "0", "1 set0 set1", "1 set0"),
            (6, "a copy is fetched during its flush", "1 set0", "1 set0 set1", "0"),
            (7, "another's flush is not awaited", "0", "1 set0 set1", "1 get0 get1"),
            (15, "a copy is dropped while it is written", "1 set0", "1 set0 set1 shed", "1 set0"),
            (20, "a dropped copy is used again", "1 set0", "2 get0 set1 shed", "0"),
            (22, "the twin goes while another writes", "0", "1 set0 set1", "1 set0"),
            (26, "a copy is older than the refresh", "1 set0", "2 get0 get1", "0"),
            (37, "leaves before another packet", "0", "1 set0 set1", "1 get0 get1"),
            (38, "what a grant brings replaces a change", "0", "1 get0 get1", "1 set1"),
            (39, "a grant forgets a kept copy", "0", "1 get0 get1", "1 set0"),
        )
    ),
    inflated(2),
    mutant(1, "leaves by a store", inflated(1)),
    mutant(2, "passes on, then lists itself", inflated(1)),
    mutant(3, "inflates a free monitor", inflated(1)),
    updates(2, 1, 1),
    updates(2, 2, 0),
    updates(2, 2, 1, in_place=False),
    *(
        mutant(number, fault, updates(2, 2, 1, in_place=number < 5 or number == 7))
        for number, fault in (
            (1, "the twin is not written"),
            (2, "acknowledges before the copy is written"),
            (3, "compares while the home writes"),
            (4, "makes a twin while the home writes"),
            (5, "a message changes the copy alone"),
            (6, "a copy stays kept that has refused an update"),
            (7, "what waits for a write is forgotten"),
        )
    ),
    mutant(
        25, "a right goes before its one access", cached("0", "1 set", "1 set", cycles=True)
    ),
]

LARGE = [
    copies(2, 2, 4),
    topology(3, 2, 3),
    topology(3, 2, 2, passes=2),
    topology(3, 2, 2, leave=2, depth=10_000_000),
    topology(3, 2, 2, leave=4, depth=10_000_000),
    topology(3, 2, 2, passes=0, leave=7, depth=20_000_000),
    topology(4, 2, 2, passes=0, depth=20_000_000),
    topology(3, 3, 3, 2, depth=20_000_000),
    topology(3, 3, 2, 1, leave=1, depth=20_000_000),
    topology(3, 2, 2, leave=3, watched=2, less=1, depth=20_000_000),  # README.md, the bound is loose
    rw(2, 2, leave=1),
    rw(3, 1, limit=2, depth=10_000_000),
    cached(f"1 {ALL}", f"1 {ALL}", "1 get set plus times evict direct"),
    cached("1 get set", "2 get set evict", "2 get set evict", evicts=2),
    cached("1 set pin_write", "1 get set pin_read evict", "1 get set", extra=1),
    cached("2 get plus times", "2 plus times evict", "2 get plus times"),
    cached("2 get pin_read", "2 get pin_read pin_write evict", "2 set pin_read pin_write evict"),
    cached(*["2 get set direct"] * 3),
    cached("1 get set", "1 get set evict prefetch", "1 get set", extra=1),
    cached("1 get set plus pin_read", "1 get set plus", "1 get set direct", extra=0),
    cached(f"1 {ALL}", f"1 {ALL}", "1 get set plus wake", cycles=True),
    region(*["1 get0 set0 set1 peek evict shed ends"] * 3),
    region("2 set0 set1 ends", "2 get0 set0 set1", "1 get0 set1"),
    region("1 get0 set0", "2 get0 set0 evict shed", "1 get0 set0 set1", drops=2),
    region("0", "1 set0 set1", "1 get1 set0", extra=1),
    region("1 set0", "1 get0 set0 set1", "1 get0", extra=1),
    region("1 set0 ends", "1 set0 set1 evict shed ends", "0", extra=1),
    region("1 get0 set0 set1 ends", "1 set0 set1 peek", "1 get0 set1", extra=0),
    without_fence("1 set0 set1 get1 ends", "2 get0 get1 set1 peek", "2 get0 get1 set1 peek"),
    updates(2, 2, 1),
]
