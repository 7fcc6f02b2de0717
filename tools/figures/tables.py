"""Tables of a page: what is under a heading, as rows of cells."""

import re


def tables(text, heading):
    """The tables under `## heading`, each as a list of rows; the first row has the titles."""
    found, inside, rows = [], False, []
    for line in [*text.splitlines(), ""]:
        if line.startswith("## "):
            inside = line[3:].strip() == heading
        elif inside and line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                rows.append(cells)
            continue
        if rows:
            found.append(rows)
            rows = []
    if not found:
        raise ValueError(f"there is no table under the heading '{heading}'")
    return found


def plain(cell):
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell).replace("`", "").replace("**", "").strip()


def value(cell):
    """The number of a cell; of a range, a-b, its geometric mean."""
    ends = [float(part) for part in plain(cell).split("-")]
    product = 1.0
    for end in ends:
        product *= end
    return product ** (1 / len(ends))
