#!/usr/bin/env python3
"""Checks that every folder of rill/ has a README that begins like the others and is true.

  check_readmes.py         lists what is wrong
  check_readmes.py --fix   first writes the lines "Includes" and "Included by" anew

A README begins with "# rill/FOLDER: what it is", then these points in this order; what follows is
free. "Includes" and "Included by" are lists of folders: of rill/ ("graph"), and those beside the
README's own by their path ("ops/array"). "ops/*" stands for more than twelve folders of ops.
Tests, cases, fuzz targets and benchmarks do not count.
"""
import collections
import pathlib
import re
import sys
import textwrap

from include_graph import IncludeGraph, folder_of, is_library

KEYS = ["Holds", "Not here", "Start at", "Includes", "Included by", "Invariants", "Test"]
MOST_NAMED = 12  # folders beside each other; more are "ops/*"
WIDTH = 120
POINT = re.compile(r"^- ([A-Z][a-z ]+): ", re.MULTILINE)
# Names of files, alone or behind a path: `graph.h`, tests/cpp/rpc_test.cc, tests/programs/data_*.py
FILE_NAME = re.compile(r"[\w./*-]*\w[\w*-]*\.(?:h|cc|py|tsv|test|md)\b")
IN_TICKS = re.compile(r"`([\w][\w./*-]*\.(?:h|cc|py|tsv|test|md|\*))`")
DO_TEST = re.compile(r"\./do test (\w+)")


def seen_from(folder, other):
    """The name of `other` in the README of `folder`; None for a folder inside of it, or itself."""
    mine, theirs = folder.split("/"), other.split("/")
    if theirs[:len(mine)] == mine:
        return None
    same = 0
    while same < min(len(mine), len(theirs)) and mine[same] == theirs[same]:
        same += 1
    return "/".join(theirs[1:same + 1])


def listed(names):
    """A sorted list of folder names as the READMEs write it."""
    beside = collections.Counter(folder_of(name) for name in names if "/" in name)
    short = {f"{folder_of(name)}/*" if beside[folder_of(name)] > MOST_NAMED else name
             for name in names}
    return ", ".join(sorted(short, key=lambda name: ("/" in name, name))) or "nothing"


def place_of(path):
    """The folder of a file as READMEs know it; "rill/rill.h" stands for itself."""
    if path.startswith("python/"):
        return "rill/python"
    if path.startswith("rill/proto/"):
        return "rill/proto"
    return folder_of(path) if path.count("/") > 1 else path


def uses(graph):
    """All pairs of places of which one includes the other."""
    pairs = set()
    for path, included in graph.includes.items():
        if not is_library(path) and not path.startswith("python/"):
            continue
        for other in included:
            if other.startswith("rill/") and other.count("/") > 1:
                pairs.add((place_of(path), place_of(other)))
    return pairs


def facts(folder, pairs):
    """What the lines "Includes" and "Included by" of a folder must say."""
    inside = lambda place: place == folder or place.startswith(folder + "/")
    includes = {seen_from(folder, other) for one, other in pairs if inside(one)}
    included_by = {seen_from(folder, one) for one, other in pairs if inside(other)}
    return {"Includes": listed(includes - {None}), "Included by": listed(included_by - {None})}


def points(text):
    """The points of a README in order: (key, text on one line)."""
    starts = list(POINT.finditer(text))
    for start, following in zip(starts, starts[1:] + [None]):
        body = text[start.end():following.start() if following else len(text)]
        body = re.split(r"\n(?=\S|\n)", body, maxsplit=1)[0]
        yield start.group(1), " ".join(body.split())


def with_facts(text, true):
    """The README with its two lists as they should be."""
    for key, value in true.items():
        line = textwrap.fill(f"- {key}: {value}.", WIDTH, subsequent_indent="  ",
                             break_long_words=False, break_on_hyphens=False)
        text = re.sub(rf"^- {key}: .*\n(?:  .*\n)*", lambda _: line + "\n", text, count=1,
                      flags=re.MULTILINE)
    return text


def exists(root, folder, name):
    """Whether a README of `folder` may name this file: by its path, or as one below the folder."""
    found = (any(root.glob(name)) or any((root / "rill").glob(name)) or
             any((root / folder).glob(f"**/{name}")))
    while name.startswith("../"):
        name, folder = name[3:], folder_of(folder)
        found = found or any((root / folder).glob(name))
    return found


def is_tested(root, name):
    """Whether `./do test NAME` has tests: those of a folder, or a target of cmake/RillTests.cmake."""
    if name == "python":
        return (root / "tests/python").is_dir()
    targets = root / "cmake/RillTests.cmake"
    return (any((root / "rill" / name).glob("**/*_test.cc")) or
            targets.is_file() and f"rill_add_test(test_{name} " in targets.read_text())


def complaints_of(root, folder, text, pairs):
    path = f"{folder}/README.md"
    if not re.match(rf"# {re.escape(folder)}: \S.*\n\n- Holds: ", text):
        yield f'{path}: does not begin with "# {folder}: what it is", an empty line and "- Holds: "'
        return
    said = list(points(text))
    keys = [key for key, _ in said]
    if keys[:len(KEYS)] != KEYS:
        yield f"{path}: its points are {', '.join(keys)}; they begin with {', '.join(KEYS)}"
        return
    for key, value in facts(folder, pairs).items():
        if dict(said)[key] != f"{value}.":
            yield f'{path}: "{key}" is "{value}.", not "{dict(said)[key]}" (--fix writes it)'
    for key, value in said:
        for name in FILE_NAME.findall(value) if key == "Test" else IN_TICKS.findall(value):
            if not exists(root, folder, name) and (key in ("Holds", "Start at") or not any(
                    root.glob(f"rill/**/{name}"))):
                yield f'{path}: "{key}" names {name}, which does not exist'
    for name in DO_TEST.findall(dict(said)["Test"]):
        if not is_tested(root, name):
            yield f"{path}: ./do test {name} tests nothing"


def folders_of(root, graph):
    """The folders below rill/ that have sources, the folders around them, and those with a README."""
    folders = {readme.parent.relative_to(root).as_posix()
               for readme in (root / "rill").rglob("README.md")}
    for path in graph.includes:
        folder = place_of(path) if path.startswith("rill/") and path.count("/") > 1 else ""
        while "/" in folder:
            folders.add(folder)
            folder = folder_of(folder)
    return folders


def complaints(root, fix=False):
    root = pathlib.Path(root)
    graph = IncludeGraph(root)
    pairs = uses(graph)
    for folder in sorted(folders_of(root, graph)):
        readme = root / folder / "README.md"
        if not readme.is_file():
            yield f"{folder} has no README.md"
            continue
        if fix:
            readme.write_text(with_facts(readme.read_text(), facts(folder, pairs)))
        yield from complaints_of(root, folder, readme.read_text(), pairs)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found = list(complaints(root, "--fix" in sys.argv[1:]))
    for line in found:
        print(line)
    sys.exit(f"{len(found)} READMEs are not as they should be" if found else 0)


if __name__ == "__main__":
    main()
