#!/usr/bin/env python3
"""Checks that every file includes only what it may see (docs/design.md, "Folders").

A file sees the folders on its left, through other headers too; sub-folders of one folder do not
include each other in a circle. The Python extension imports the package in one file.
"""
import collections
import pathlib
import re
import sys

from include_graph import IncludeGraph, TEST, UNBOUND, folder_of, is_library, strongly_connected

# Folder to the folders directly on its left; everything those see is seen too.
LEFT = {
    "base": [],
    "proto": ["base"],
    "net": ["proto"],
    "tensor": ["proto"],
    "io": ["tensor"],
    "graph": ["io"],
    "grad": ["graph"],
    "passes": ["graph"],
    "kernel": ["graph"],
    "ops": ["grad", "passes", "kernel", "net"],
    "runtime": ["ops"],
    "cluster": ["runtime"],
    "inspect": ["runtime"],
    "serve": ["runtime"],
    "board": ["runtime"],
    "api": ["cluster", "inspect"],
    "compat": ["api", "serve"],
    "cli": ["compat", "serve", "board"],
}
# Includes that close a circle of sub-folders, and why they are there for now. One that is no longer
# needed is reported.
EXCUSED = {
    ("rill/ops/array/slice/extract_patches_shape.h", "rill/ops/nn/window/patches.h"):
        "patches are cut as convolutions see them",
    ("rill/ops/array/join/tile.cpu.cc", "rill/ops/math/reduce/reduce.h"): "TileGrad is a sum",
    ("rill/ops/update/element_update.cpu.cc", "rill/ops/math/rows/elementwise.h"):
        "sums are those of Add, by the widest vectors",
}
PROTOBUF = re.compile(r"^google/protobuf/|\.pb\.h$|^rill/proto/")
# An import of the package, or of a module whose name is not written there.
PACKAGE_IMPORT = re.compile(r'(?:\bimport_|\bPyImport_Import\w*)\(\s*(?:"rill[."]|[^"\s])')
KERNEL_FILE = re.compile(r"^rill/kernel/|\.(cpu\.(cc|h)|cuda\.cuh?)$")


def visible(folder):
    seen = {folder}
    for left in LEFT[folder]:
        seen |= visible(left)
    return seen


def top_folder(path):
    """"graph" of "rill/graph/node.h", "python" and "include"; None for files of others."""
    parts = path.split("/")
    if parts[0] == "rill":
        return parts[1] if len(parts) > 2 else None
    return parts[0] if parts[0] in ("python", "include") else None


def forbidden_to(path):
    """Pairs: which files `path` may not reach, and why."""
    folder = top_folder(path)
    if folder == "python":  # sees everything
        return
    if folder == "include":
        yield (lambda other: top_folder(other) in LEFT and not other.startswith("rill/proto/"),
               "headers of the C++ interface compile without ours")
        return
    seen = visible(folder)
    yield (lambda other: top_folder(other) in LEFT and top_folder(other) not in seen,
           f"is not on the left of {folder}/")
    yield lambda other: top_folder(other) == "python", "nothing includes python/"
    yield lambda other: other == "rill/rill.h", "the umbrella header is for users"
    if folder not in ("compat", "cli"):
        yield lambda other: top_folder(other) == "include", "include/ is seen by compat/ alone"
    if KERNEL_FILE.search(path):
        yield PROTOBUF.search, "kernels do not see protobuf"
    if path.endswith(".op.cc"):
        yield lambda other: top_folder(other) == "kernel", "declarations link without kernels"


def layer_complaints(graph):
    for path, included in graph.includes.items():
        folder = top_folder(path)
        if UNBOUND.search(path) or folder is None:
            continue
        if path.startswith("rill/") and folder not in LEFT:
            yield f"{path}: rill/{folder} has no place in the order of folders"
            continue
        for is_forbidden, why in forbidden_to(path):
            if TEST.search(path):  # what it includes itself; others may bring more
                way = next(([path, other] for other in included if is_forbidden(other)), None)
            else:
                way = graph.chain(path, is_forbidden)
            if way:
                through = "" if len(way) == 2 else f" (through {', '.join(way[1:-1])})"
                yield f'{path}: "{way[-1]}"{through}: {why}'


def child_of(folder, path):
    """The sub-folder of `folder` that `path` is in; "." for files of the folder itself."""
    rest = path[len(folder) + 1:].split("/")
    return rest[0] if len(rest) > 1 else "."


def circle_complaints(graph, excused):
    links = collections.defaultdict(lambda: collections.defaultdict(list))  # folder, (from, to)
    for path, included in graph.includes.items():
        for other in included if is_library(path) else ():
            if not other.startswith("rill/") or (path, other) in excused:
                continue
            folder = folder_of(path)
            while folder.startswith("rill/"):
                if other.startswith(folder + "/"):
                    ends = child_of(folder, path), child_of(folder, other)
                    if ends[0] != ends[1]:
                        links[folder][ends].append((path, other))
                    break
                folder = folder_of(folder)
    for folder in sorted(links):
        edges = collections.defaultdict(set)
        for one, other in links[folder]:
            edges[one].add(other)
        for circle in strongly_connected(edges):
            yield f"{folder}: {', '.join(circle)} include each other in a circle"
            inside = [(len(uses), ends, uses) for ends, uses in links[folder].items()
                      if set(ends) <= set(circle)]
            for count, (one, other), uses in sorted(inside):
                example = "" if count > 3 else ": " + ", ".join(f"{a} includes {b}" for a, b in uses)
                yield f"    {one} -> {other}, {count} includes{example}"


def excuse_complaints(graph, excused):
    for path, other in excused:
        if other not in graph.includes.get(path, ()):
            yield f"{path} no longer includes {other}: tools/check_layers.py need not excuse it"


def seam_complaints(root, graph):
    for path in graph.includes:
        if path.startswith("python/src/") and path != "python/src/package.cc":
            for found in PACKAGE_IMPORT.findall((root / path).read_text(errors="replace")):
                yield f"{path}: {found}...: the package is imported in package.cc alone"


def complaints(root, excused=EXCUSED):
    graph = IncludeGraph(root)
    yield from seam_complaints(graph.root, graph)
    yield from layer_complaints(graph)
    yield from circle_complaints(graph, excused)
    yield from excuse_complaints(graph, excused)


def main():
    found = list(complaints(pathlib.Path(__file__).resolve().parent.parent))
    for line in found:
        print(line)
    sys.exit(f"{len(found)} lines about the order of folders" if found else 0)


if __name__ == "__main__":
    main()
