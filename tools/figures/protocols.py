"""Who sends what to whom: a miss of a cached array, publishing, and two hand-overs.

Each diagram names its sources. Change it together with them; no check compares the two.
"""

from sequence import Note, Together, atomic, diagram, put, send


def cached_miss():
    """src/far/array/cached: cache.cpp (acquire), home.cpp, outbox.cpp, cache_protocol.cpp."""
    return diagram(
        "The life of a miss: rank 1 reads a chunk that rank 2 may write",
        {
            "reader": ("rank 1", "a thread calls get(i)"),
            "home": ("rank 0", "the chunk's home"),
            "holder": ("rank 2", "has the right to write"),
        },
        [
            Note(
                "reader",
                "the chunk's word grants no right: the slow path takes a line of the cache",
            ),
            send("reader", "home", "request: want (read, line, number)"),
            Together(
                Note(
                    "home",
                    "Dirty: the right of rank 2 stands in the way. Requests for a chunk are "
                    "served in turn",
                ),
                Note("reader", "sleeps", sleeps=True),
            ),
            send("home", "holder", "forward: recall (from write, keep read)"),
            Note(
                "holder",
                "clears the chunk's word; makes all its threads execute a fence; waits until none "
                "is inside or pins the chunk",
            ),
            send("holder", "home", "reply: the data (one-sided if larger than a message)"),
            Note("home", "takes the data into its memory; Shared: all three may read now"),
            send("home", "reader", "forward: grant (read, number, data, if not put before)"),
            Note(
                "reader",
                "fills the line, wakes the thread, which makes its access and publishes the "
                "chunk's word",
            ),
            Note("reader", "from now on get(i) is a hit: no message, no lock"),
        ],
        spacing=350,
        note_width=280,
    )


def publish():
    """src/far/object: synchronize, packets, home, followed_changes, monitor."""
    return diagram(
        "The life of a publish: rank 1 leaves the monitor of an object that it has changed",
        {
            "writer": ("rank 1", "leaves the monitor"),
            "home": ("rank 0", "the object's home"),
            "reader": ("rank 2", "keeps a copy"),
            "next": ("rank 3", "waits for the monitor"),
        },
        [
            Together(
                Note(
                    "writer",
                    "compares each copy that it may have written with its twin, field by field",
                ),
                Note("next", "sleeps", sleeps=True),
            ),
            send("writer", "home", "request: change (the fields that differ)"),
            send("writer", "home", "request: monitor exit, with the same number"),
            Note(
                "home",
                "puts the fields into its memory; keeps the exit until the change is acknowledged",
            ),
            send("home", "reader", "forward: revoke, or update (the fields)"),
            Note(
                "reader",
                "revoked: its threads forget the copy when they synchronize next. Updated: the "
                "fields are in the copy, and in its twin if there is one",
            ),
            send("reader", "home", "reply"),
            Note("home", "all copies have answered: no kept copy lacks the change"),
            send("home", "writer", "reply: for each region, forget, keep or own"),
            send("home", "next", "reply: the monitor, and the object if it is small"),
            Together(
                Note("writer", "goes on; whether it keeps its copy, the reply says"),
                Note("next", "is in the monitor, and sees what rank 1 wrote"),
            ),
        ],
        spacing=290,
        note_width=250,
    )


def publish_in_place():
    """src/far/object: in_place, home_in_place, update_word."""
    return diagram(
        "The same with update_in_place: the home writes over the copy that rank 2 keeps",
        {
            "home": ("rank 0", "the object's home"),
            "reader": ("rank 2", "keeps a copy"),
        },
        [
            atomic(
                "home",
                "reader",
                "compare-and-swap: the copy's word, from ready or twinned to open",
                "succeeds",
            ),
            Note("reader", "a thread that would compare, or fetch, waits while the word is open"),
            put(
                "home",
                "reader",
                "put: the fields into the copy, and into its twin if there is one; its signal sets "
                "the word back",
            ),
            Note("home", "the put is complete: this copy has the change"),
        ],
        spacing=480,
        note_width=250,
    )


def queue_hand_over():
    """src/far/containers/queue: ring.hpp, ring_user.cpp, ring_turn.cpp."""
    return diagram(
        "Queue hand-over: three ranks push, of which one sleeps, and a fourth pops",
        {
            "a": ("rank 1", "pushes"),
            "b": ("rank 2", "pushes"),
            "host": ("rank 0", "the host's memory"),
            "c": ("rank 3", "pushes"),
            "pop": ("rank 4", "pops"),
        },
        [
            Note("host", "tail 6, ready 6, head 6, freed 6"),
            atomic("a", "host", "fetch-and-add: tail + 1", "returns 6"),
            atomic("b", "host", "fetch-and-add: tail + 1", "returns 7"),
            atomic("c", "host", "fetch-and-add: tail + 1", "returns 8"),
            put("b", "host", "put: the value at 7"),
            atomic("b", "host", "compare-and-swap: ready 7 to 8", "fails, it is 6"),
            put("b", "host", "put: a note, “7 ends at 8”"),
            Note("b", "sleeps", sleeps=True),
            put("a", "host", "put: the value at 6"),
            atomic("a", "host", "compare-and-swap: ready 6 to 7", "succeeds"),
            put("c", "host", "put: the value at 8"),
            atomic("c", "host", "compare-and-swap: ready 8 to 9", "fails, it is 7"),
            put("c", "host", "put: a note, “8 ends at 9”"),
            Note("c", "ready stands still at 7: gets the notes of 7 and 8"),
            atomic("c", "host", "compare-and-swap: ready 7 to 9", "succeeds"),
            Note("host", "tail 9, ready 9: nobody waits until rank 2 wakes"),
            atomic("pop", "host", "fetch-and-add: head + 1", "returns 6"),
            atomic("pop", "host", "load: ready", "returns 9: position 6 is written"),
            put("pop", "host", "get: the value at 6"),
            atomic("pop", "host", "compare-and-swap: freed 6 to 7", "succeeds"),
        ],
        spacing=240,
        note_width=200,
    )


def lock_hand_over():
    """src/far/sync: mcs_queue.hpp, mcs_queue.cpp."""
    return diagram(
        "Lock hand-over: rank 1 passes an mcs_lock on to rank 2",
        {
            "one": ("rank 1", "node 1: next, status"),
            "home": ("rank 0", "the lock's home: tail"),
            "two": ("rank 2", "node 2: next, status"),
        },
        [
            atomic("one", "home", "exchange: tail = node 1", "returns 0"),
            Note("one", "the queue was empty: it holds the lock"),
            atomic("two", "home", "exchange: tail = node 2", "returns node 1"),
            Note("two", "its status: waiting"),
            put("two", "one", "atomic store, which wakes: the next of node 1 = node 2"),
            Note("two", "sleeps on its own status", sleeps=True),
            Note("one", "unlocks: finds node 2 in its own next"),
            atomic(
                "one",
                "two",
                "compare-and-swap, which wakes: status from waiting to given",
                "succeeds",
            ),
            Together(
                Note("one", "its status: idle"),
                Note("two", "holds the lock, and sees what rank 1 put"),
            ),
            Note("two", "unlocks: its next is 0"),
            atomic(
                "two", "home", "compare-and-swap: tail node 2 to 0", "succeeds: the queue is empty"
            ),
        ],
        spacing=340,
        note_width=250,
    )
