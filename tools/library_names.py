#!/usr/bin/env python3
"""Counts the names of TensorFlow that libraries use, and says which of them Rill has. Reads the libraries' sources and
runs none of them.

  library_names.py [--missing] [LIBRARY...]    those of interop_libraries.py, all when none is named

--missing lists what Rill lacks, or has only as a name that refuses to work, with the number of uses and why
(library_names.tsv). Run with Rill on the path, as `./do interop libraries` does.
"""
import ast
import collections
import importlib
import importlib.util
import inspect
import pathlib
import sys
import types
import warnings

import interop_libraries

TOPS = ("tensorflow", "tensorflow_core")


class Uses(ast.NodeVisitor):
    """The dotted names of TensorFlow that one file uses: what it imports, and attributes of what it imported."""

    def __init__(self):
        self.bound, self.count, self.added = {}, collections.Counter(), set()

    def visit_Import(self, node):
        for name in node.names:
            if name.name.partition(".")[0] in TOPS:
                self.bound[name.asname or name.name.partition(".")[0]] = (
                    name.name if name.asname else name.name.partition(".")[0])
                self.count[name.name] += 1

    def visit_ImportFrom(self, node):
        if node.level or (node.module or "").partition(".")[0] not in TOPS:
            return
        for name in node.names:
            if name.name == "*":
                self.count[node.module] += 1
            else:
                self.bound[name.asname or name.name] = f"{node.module}.{name.name}"
                self.count[f"{node.module}.{name.name}"] += 1

    def visit_Assign(self, node):
        """`tfd = tf.distributions` binds another name; `tf.GraphKeys.MINE = 1` adds one that TensorFlow need not have."""
        self.added |= {path for target in node.targets if (path := self.path_of(target))}
        path = self.path_of(node.value)
        if path and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and path.count(".") <= 3:
            self.bound.setdefault(node.targets[0].id, path)
        self.generic_visit(node)

    def visit_Attribute(self, node):
        path = self.path_of(node)
        if path:
            self.count[path] += 1
        else:
            self.generic_visit(node)

    def path_of(self, node):
        """tensorflow.nn.relu of tf.nn.relu, or None."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.bound:
            return None
        return ".".join([self.bound[node.id], *reversed(parts)])


def uses_in(folder):
    """The names used below a folder, tests left out."""
    total, added = collections.Counter(), set()
    for file in sorted(folder.rglob("*.py")):
        if file.stem.endswith("_test") or file.stem.startswith("test_"):
            continue
        uses = Uses()
        try:
            uses.visit(ast.parse(file.read_text()))
        except SyntaxError:  # of Python 2
            continue
        total += uses.count
        added |= {path.rpartition(".")[2] for path in uses.added}
    return collections.Counter({path: count for path, count in total.items() if path.rpartition(".")[2] not in added})


def _module(path):
    try:
        return importlib.import_module(path)
    except ImportError:
        return None


def lacking(path):
    """The shortest part of a dotted name that Rill does not have, or that refuses to work; None where all is well.
    Members of values are not looked at."""
    done, *rest = path.split(".")
    found = _module(done)
    for part in rest:
        done = f"{done}.{part}"
        if not isinstance(found, types.ModuleType) and not inspect.isclass(found):
            return None
        try:
            found = getattr(found, part)
        except AttributeError:
            found = _module(done) if isinstance(found, types.ModuleType) else None
            if found is None:
                return done
        if inspect.isclass(found) and found.__dict__.get("_refuses"):
            return done
    return None


def package_of(library):
    """The folder of the library's sources in its environment."""
    return next((interop_libraries.ENVIRONMENTS / library).glob(f"lib/python*/site-packages/{library}"))


def reasons():
    lines = pathlib.Path(__file__).with_suffix(".tsv").read_text().splitlines()
    return dict(line.split("\t") for line in lines)


def reason_of(path, known):
    while path:
        if path in known:
            return known[path]
        path = path.rpartition(".")[0]
    return "not there yet"


def main(arguments):
    warnings.simplefilter("ignore")
    show = "--missing" in arguments
    libraries = [name for name in arguments if name != "--missing"] or list(interop_libraries.LIBRARIES)
    all_uses = all_there = 0
    missing = collections.Counter()
    print("| library | names | uses | of them in Rill |\n|---|---|---|---|")
    for library in libraries:
        uses = uses_in(package_of(library))
        gone = {path: lack for path in uses if (lack := lacking(path))}
        for path, lack in gone.items():
            missing[lack] += uses[path]
        there = sum(uses.values()) - sum(uses[path] for path in gone)
        all_uses, all_there = all_uses + sum(uses.values()), all_there + there
        print(f"| {library} | {len(uses)} | {sum(uses.values())} | {100 * there / sum(uses.values()):.1f} % |")
    print(f"| all | | {all_uses} | {100 * all_there / all_uses:.1f} % |")
    if show:
        known = reasons()
        print("\n| uses | name | why |\n|---|---|---|")
        for path, count in sorted(missing.items(), key=lambda item: (-item[1], item[0])):
            print(f"| {count} | {path} | {reason_of(path, known)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
