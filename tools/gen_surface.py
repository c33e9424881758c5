#!/usr/bin/env python3
"""Writes python/rill/_surface.tsv: TensorFlow 1.15's public names, and which are one object.

  gen_surface.py           writes the file
  gen_surface.py --check   changes nothing; fails when something would change

A row is a path below `tf`, "m" where it is a module, and the path that it is another name of. Members of
classes are left out: who has the class has them.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FACTS = ROOT / "tests" / "facts" / "tf1_python_api.tsv"
SURFACE = ROOT / "python" / "rill" / "_surface.tsv"


def rows():
    lines = FACTS.read_text().splitlines()[1:]
    table = [line.split("\t") for line in lines]
    modules = {symbol for symbol, kind, *_ in table if kind == "module"}
    for symbol, kind, _, alias in table:
        owner = symbol.rpartition(".")[0]
        if owner in modules and not symbol.startswith("tf.raw_ops."):
            yield (symbol.removeprefix("tf."), "m" if kind == "module" else "",
                   alias.removeprefix("tf."))


def main():
    text = "".join("\t".join(row) + "\n" for row in rows())
    if text == SURFACE.read_text():
        return
    if "--check" in sys.argv[1:]:
        sys.exit(f"out of date: {SURFACE.relative_to(ROOT)}\nrun ./do gen")
    SURFACE.write_text(text)
    print(f"wrote: {SURFACE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
