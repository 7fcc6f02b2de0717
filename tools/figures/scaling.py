"""The tables of docs/scaling.md as curves, over the number of ranks.

The columns of ranks are those whose title begins with a number. Both axes are logarithmic. Each row
of a table belongs to one panel of a picture.
"""

from math import ceil, floor, log10, log2

from svg import COLOURS, FAINT, INK, Page, width
from tables import plain, tables, value

SIZE = 11
PANEL = 380  # its height
LEFT, RIGHT, TOP, BOTTOM = 54, 345, 40, 44
PLOT = 380  # the width of the curves' field
DASHES = (None, "6 3", "2 2", "9 3 2 3")

# Picture: its table (heading, which of the heading's), and the panels: title, rows by their begin.
RATE, TIME = "millions of operations a second, all ranks together", "microseconds each"
PICTURES = {
    "scaling_queues.svg": (
        "Queues",
        0,
        RATE,
        {"Pushes": ("queue push", "push by calls", "checksum_queue push",
                    "deque under std::mutex: push"),
         "Pops": ("queue pop", "deque under std::mutex: pop")},
    ),
    "scaling_maps.svg": (
        "Maps and words",
        0,
        RATE,
        {"Maps": ("map insert", "map find", "map add, one key of all"),
         "Words and elements": ("fetch_add, random words of 8 MB at each rank",
                                "fetch_add, one word of all", "array get, at random",
                                "threads: fetch_add, random", "threads: fetch_add, one word",
                                "threads: get, huge pages")},
    ),
    "scaling_locks.svg": (
        "Locks and monitors",
        0,
        RATE,
        {"One holder": ("mcs_lock", "topology_lock", "rw_lock, writers only", "std::mutex",
                        "MCS by hand, threads"),
         "Readers and writers": ("rw_lock, 0 % writers", "rw_lock, 2 % writers",
                                 "rw_lock, 20 % writers", "pthread_rwlock_t, 0 % writers",
                                 "pthread_rwlock_t, 2 % writers", "pthread_rwlock_t, 20 % writers"),
         "Objects and cached arrays": ("object monitor of all", "object monitor of one's own",
                                       "cached_array, lock of one element",
                                       "cached_array get, in order", "cached_array apply, Zipf")},
    ),
    "scaling_calls.svg": (
        "Calls, accumulates, collectives",
        0,
        RATE,
        {"Calls and accumulates": ("rpc, to a random rank",
                                   "accumulate of all to one patch of 128 x 128 doubles")},
    ),
    "scaling_collectives.svg": (
        "Calls, accumulates, collectives",
        1,
        TIME,
        {"Collectives": ("barrier", "allreduce", "broadcast", "alltoall, 8 KB",
                         "object_space::barrier", "std::barrier")},
    ),
    "scaling_programs.svg": (
        "Programs",
        0,
        "milliseconds, of a step where it says so",
        {"Programs": ("far-count kmers -k 21 --canonical, 4.9 million letters, ms",
                      "far-water --molecules 1728, ms a step")},
    ),
}


def spread(wanted, gap, low, high):
    """Places near the wanted ones, in their order, at least `gap` apart."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places = {}
    last = low - gap
    for i in order:
        places[i] = last = max(wanted[i], last + gap)
    over = last - high
    if over > 0:
        limit = high
        for i in reversed(order):
            places[i] = limit = min(places[i], limit)
            limit -= gap
    return [places[i] for i in range(len(wanted))]


def fitting(name, room):
    """The name, without its last parts if they do not fit."""
    while width(name, SIZE) > room and ", " in name:
        name = name.rpartition(", ")[0]
    return name


def draw_panel(page, top, title, unit, ranks, rows):
    """`rows`: {name: values}."""
    values = [v for row in rows.values() for v in row]
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    bottom = top + PANEL - BOTTOM
    height = bottom - top - TOP

    def x_of(n):
        return LEFT + PLOT * log2(n) / log2(ranks[-1])

    def y_of(v):
        return bottom - height * (log10(v) - low) / (high - low)

    page.text(LEFT, top + 14, title, 13, bold=True)
    page.text(LEFT + width(title, 13) * 1.08 + 12, top + 14, unit, SIZE)
    for power in range(low, high + 1):
        y = y_of(10.0**power)
        page.line(LEFT, y, LEFT + PLOT, y, "#dddddd")
        page.text(LEFT - 6, y + 4, f"{10.0 ** power:g}", SIZE, "end")
    for n in (n for n in ranks if n & (n - 1) == 0):  # others are too near to these
        page.line(x_of(n), bottom, x_of(n), bottom + 4, INK)
        page.text(x_of(n), bottom + 17, str(n), SIZE, "middle")
    page.line(LEFT, bottom, LEFT + PLOT, bottom, INK)
    page.text(LEFT + PLOT / 2, bottom + 33, "ranks", SIZE, "middle")
    page.line(x_of(16), top + TOP, x_of(16), bottom, FAINT, 1, "2 3")
    page.text(x_of(16), top + TOP - 4, "16 cores", 10, "middle", FAINT)

    labels = spread([y_of(row[-1]) for row in rows.values()], 14, top + TOP + 4, bottom)
    for i, ((name, row), label) in enumerate(zip(rows.items(), labels)):
        colour, dash = COLOURS[i % len(COLOURS)], DASHES[i % len(DASHES)]
        points = [(x_of(n), y_of(v)) for n, v in zip(ranks, row)]
        page.polyline(points, colour, 1.8, dash)
        for x, y in points:
            page.circle(x, y, 2.4, colour)
        right = LEFT + PLOT
        page.line(points[-1][0] + 3, points[-1][1], right + 16, label, colour, 0.7)
        page.text(right + 19, label + 4, fitting(name, RIGHT - 24), SIZE, fill=colour)


def picture(text, name):
    heading, which, unit, panels = PICTURES[name]
    titles, *rows = tables(text, heading)[which]
    columns = [i for i, title in enumerate(titles) if title[:1].isdigit()]
    ranks = [int(titles[i].split()[0]) for i in columns]
    data = {plain(row[0]): [value(row[i]) for i in columns] for row in rows}
    wanted = [row for panel in panels.values() for row in panel]
    if sorted(wanted) != sorted(data):
        raise ValueError(f"{name}: its rows are {wanted}, those of the table are {list(data)}")
    page_title = f"{heading}, over the number of ranks"
    page = Page(LEFT + PLOT + RIGHT, PANEL * len(panels) + 8, page_title)
    for i, (title, members) in enumerate(panels.items()):
        draw_panel(page, 8 + PANEL * i, title, unit, ranks, {row: data[row] for row in members})
    return page.show()


def figures(text):
    return {name: picture(text, name) for name in PICTURES}
