#!/usr/bin/env python3
"""Checks that every file includes only folders on its left (docs/design.md, "Folders")."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

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
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)
PROTOBUF = re.compile(r"^google/protobuf/|\.pb\.h$")
# Cases, fuzz targets and benchmarks run whole graphs; they are no part of the library.
UNBOUND = re.compile(r"(\.cases|_fuzz|_bench)\.cc$")


def visible(folder):
    seen = {folder}
    for left in LEFT[folder]:
        seen |= visible(left)
    return seen


def complaints(path, folder):
    kernel_file = folder == "kernel" or re.search(r"\.(cpu\.(cc|h)|cuda\.cuh?)$", path.name)
    for included in INCLUDE.findall(path.read_text(errors="replace")):
        target = re.match(r"rill/(\w+)/", included)
        target = target.group(1) if target else None
        if target in LEFT and target not in visible(folder):
            yield f'"{included}" is not on the left of {folder}/'
        if included == "rill/rill.h":
            yield "the umbrella header is for users, not for rill/ itself"
        if kernel_file and PROTOBUF.search(included):
            yield f'"{included}": kernels do not see protobuf'
        if path.name.endswith(".op.cc") and target == "kernel":
            yield f'"{included}": declarations link without kernels'


def main():
    count = 0
    for path in sorted((ROOT / "rill").rglob("*")):
        if path.suffix not in (".h", ".cc", ".cu", ".cuh") or UNBOUND.search(path.name):
            continue
        relative = path.relative_to(ROOT)
        folder = relative.parts[1]
        if len(relative.parts) == 3 and folder not in LEFT and (ROOT / "rill" / folder).is_dir():
            print(f"{relative}: rill/{folder} has no place in the order of folders")
            count += 1
        for complaint in complaints(path, folder) if folder in LEFT else ():
            print(f"{relative}: {complaint}")
            count += 1
    sys.exit(f"{count} includes break the order of folders" if count else 0)


if __name__ == "__main__":
    main()
