#!/usr/bin/env python3
"""Writes TensorFlow 1.15's names into the Python package, from the facts of tests/facts.

  gen_surface.py           writes the files
  gen_surface.py --check   changes nothing; fails when something would change

_surface.tsv has the public names: a row is a path below `tf`, "m" where it is a module, and the path that it is
another name of. Members of classes are left out: who has the class has them. _contrib_names.tsv has for each module
of tf.contrib the names in it.
"""
import collections
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FACTS = ROOT / "tests" / "facts"
PACKAGE = ROOT / "python" / "rill"


def read(name):
    return [line.split("\t") for line in (FACTS / name).read_text().splitlines()[1:]]


def surface():
    table = read("tf1_python_api.tsv")
    modules = {symbol for symbol, kind, *_ in table if kind == "module"}
    for symbol, kind, _, alias in table:
        owner = symbol.rpartition(".")[0]
        if owner in modules and not symbol.startswith("tf.raw_ops."):
            yield (symbol.removeprefix("tf."), "m" if kind == "module" else "",
                   alias.removeprefix("tf."))


def contrib_names():
    names = collections.defaultdict(list)
    for symbol, _ in read("tf1_contrib_names.tsv"):
        owner, _, name = symbol.removeprefix("tf.").rpartition(".")
        names[owner].append(name)
    for owner in sorted(names):
        yield owner, " ".join(sorted(names[owner]))


def main():
    for name, rows in (("_surface.tsv", surface()), ("_contrib_names.tsv", contrib_names())):
        path = PACKAGE / name
        text = "".join("\t".join(row) + "\n" for row in rows)
        if path.exists() and text == path.read_text():
            continue
        if "--check" in sys.argv[1:]:
            sys.exit(f"out of date: {path.relative_to(ROOT)}\nrun ./do gen")
        path.write_text(text)
        print(f"wrote: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
