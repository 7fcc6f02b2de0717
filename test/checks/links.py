#!/usr/bin/env python3
"""Checks that each relative link in a Markdown file leads to a file, and its #anchor to a heading.
Also checks that docs/README.md, the index, has a link to each page of docs/.

usage: links.py [ROOT]
"""

import re
from urllib.parse import unquote

import tree

INLINE = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)")
FENCE = re.compile(r"^\s*(```|~~~)")
INDEX = "docs/README.md"


def prose(root, path):
    """(number, text) of the lines outside code blocks."""
    inside = False
    for number, text in tree.lines(root, path):
        if FENCE.match(text):
            inside = not inside
        elif not inside:
            yield number, text


def anchors(root, path):
    """The anchors of a file's headings, made as GitHub makes them."""
    found = set()
    for _, text in prose(root, path):
        heading = re.match(r"^#{1,6}\s+(.*?)\s*#*\s*$", text)
        if heading:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).lower()
            anchor = base = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            repeat = 0
            while anchor in found:
                repeat += 1
                anchor = f"{base}-{repeat}"
            found.add(anchor)
    return found


def check_link(root, path, link):
    """The problem of a link in the file `path`, or None."""
    if re.match(r"^[a-z][a-z0-9+.-]*:", link) or link.startswith("//"):
        return None  # leads out of the repository
    target, _, anchor = unquote(link).partition("#")
    if target.startswith("/"):
        return "is absolute; write it relative to this file"
    file = (root / path.parent / target).resolve() if target else (root / path).resolve()
    if not file.exists():
        return "leads to no file"
    if not file.is_relative_to(root.resolve()):
        return "leads out of the repository"
    if anchor and file.suffix == ".md":
        if anchor not in anchors(root, file.relative_to(root.resolve())):
            return "leads to no heading"
    return None


def links_of(text):
    text = re.sub(r"`[^`]*`", lambda code: "x" * len(code.group(0)), text)
    return INLINE.findall(text) + REFERENCE.findall(text)


def missing_in_index(root):
    """The pages of docs/ that the index does not link to."""
    index = root / INDEX
    if not index.exists():
        return []
    linked = {
        (index.parent / link.partition("#")[0]).resolve()
        for _, text in prose(root, index.relative_to(root))
        for link in links_of(text)
    }
    pages = tree.files(root, ".md", under=("docs",))
    return [page for page in pages if (root / page).resolve() not in linked | {index.resolve()}]


def check(root):
    problems = [f"{INDEX}: has no link to {page}" for page in missing_in_index(root)]
    for path in tree.files(root, ".md"):
        for number, text in prose(root, path):
            for link in links_of(text):
                problem = check_link(root, path, link)
                if problem:
                    problems.append(f"{path}:{number}: the link '{link}' {problem}")
    return problems


if __name__ == "__main__":
    tree.run("links", check)
