"""`rill upgrade`: rewrites programs that were written for TensorFlow 0.x, and for Python 2, to 1.15 and Python 3.

What the text does not tell, such as a name that is made at run time, is left; remarks say where to look.
"""

import argparse
import ast
import difflib
import os
import sys
import tokenize

from rill import _upgrade_calls as calls
from rill import _upgrade_python as python


def _bound_names(tree):
    """Names that the program itself gives a value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name
        elif isinstance(node, ast.arg):
            yield node.arg


def _python2_edits(text):
    tree = ast.parse(text)
    bound = set(_bound_names(tree))
    finder = calls._Finder(text)
    for node, new in python.python2_names(tree, bound.__contains__):
        end = finder._end(node)
        begin = end - len(node.attr) if isinstance(node, ast.Attribute) else finder._begin(node)
        yield calls.Edit(begin, end, new, node.lineno, f"{new} in Python 3")


def upgraded(text, file="<program>"):
    """(the text of today, what was changed and remarks, as (line, words)); CannotUpgrade if nobody can read it."""
    new = python.to_python3(text, file)
    notes = [] if new == text else [(1, "from Python 2 to Python 3")]
    edits, remarks = calls.find(new)
    edits = [*edits, *_python2_edits(new)]
    notes += sorted({(edit.line, edit.what) for edit in edits})
    return calls.apply(new, edits), notes, remarks


def _read(path):
    with open(path, "rb") as file:
        encoding, _ = tokenize.detect_encoding(file.readline)
    with open(path, encoding=encoding, newline="") as file:
        return file.read(), encoding


def _write(path, text, encoding):
    """The file is the old one or the new one, never half of it."""
    with open(path + ".upgraded", "w", encoding=encoding, newline="") as file:
        file.write(text)
    os.chmod(path + ".upgraded", os.stat(path).st_mode)
    os.replace(path + ".upgraded", path)


def _upgrade(path, options):
    text, encoding = _read(path)
    new, notes, remarks = upgraded(text, path)
    if options.in_place and new != text:
        _write(path, new, encoding)
    if options.diff:
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new.splitlines(True), path, path))
    elif not options.in_place:
        sys.stdout.write(new)
    for line, words in notes:
        print(f"{path}:{line}: {words}", file=sys.stderr)
    for line, words in remarks:
        print(f"{path}:{line}: look here: {words}", file=sys.stderr)


def main(arguments):
    """The command line below `rill upgrade`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="rill upgrade", description=__doc__)
    parser.add_argument("--in-place", action="store_true", help="replace the files; else the new text is printed")
    parser.add_argument("--diff", action="store_true", help="print what would change instead")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM.py")
    options = parser.parse_args(arguments)
    status = 0
    for path in options.programs:
        try:
            _upgrade(path, options)
        except (OSError, SyntaxError, UnicodeDecodeError, python.CannotUpgrade) as error:
            print(f"rill upgrade: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
