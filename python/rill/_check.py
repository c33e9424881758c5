"""`rill check`: which names of TensorFlow a program uses that Rill has, lacks, or has otherwise.

The program is read, not run. Names are followed through imports and plain assignments (`nn = tf.nn`); what is
called on values, such as `tensor.eval()`, cannot be told from the text.
"""

import argparse
import ast
import dataclasses
import importlib
import json
import sys

from rill import _api_compare as compare

_ROOTS = ("tensorflow.compat.v1", "tensorflow")
UNKNOWN = "unknown"  # neither TensorFlow's table of names nor Rill has it


@dataclasses.dataclass(frozen=True)
class Use:
    """A name of TensorFlow at a place of a program, and the keywords it is called with."""

    path: str  # "tf.nn.relu", or "tensorflow.python.ops.math_ops.add"
    line: int
    keywords: tuple = ()


def _public(path):
    """tensorflow.nn.relu is tf.nn.relu; what lies in packages that are not public keeps its name."""
    for root in _ROOTS:
        if path == root or path.startswith(root + "."):
            rest = path[len(root):]
            if not rest.startswith((".python.", ".contrib", ".core.")) and rest != ".python":
                return "tf" + rest
    return path


class _Reader(ast.NodeVisitor):
    """Collects the uses in a module's text."""

    def __init__(self):
        self.names = {}  # what the program's names stand for
        self.uses = []

    def visit_Import(self, node):
        for item in node.names:
            if item.name.partition(".")[0] != "tensorflow":
                continue
            if item.asname:
                self.names[item.asname] = item.name
            else:
                self.names["tensorflow"] = "tensorflow"
            if "." in item.name:
                self.uses.append(Use(_public(item.name), node.lineno))

    def visit_ImportFrom(self, node):
        if node.level or (node.module or "").partition(".")[0] != "tensorflow":
            return
        for item in node.names:
            path = f"{node.module}.{item.name}"
            if item.name != "*":
                self.names[item.asname or item.name] = path
                self.uses.append(Use(_public(path), node.lineno))

    def path_of(self, node):
        """The dotted path of an expression, or None."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.path_of(node.value)
            return None if owner is None else f"{owner}.{node.attr}"
        return None

    def visit_Assign(self, node):
        path = self.path_of(node.value)
        if path is not None and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self.names[node.targets[0].id] = path
        self.generic_visit(node)

    def visit_Call(self, node):
        path = self.path_of(node.func)
        if path is None:
            self.generic_visit(node)
            return
        keywords = tuple(keyword.arg for keyword in node.keywords if keyword.arg)
        self.uses.append(Use(_public(path), node.lineno, keywords))
        for child in (*node.args, *node.keywords):
            self.visit(child)

    def visit_Attribute(self, node):
        path = self.path_of(node)
        if path is None:
            self.generic_visit(node)
        else:
            self.uses.append(Use(_public(path), node.lineno))


def uses_in(text, file="<program>"):
    """All uses in the order of their lines."""
    reader = _Reader()
    reader.visit(ast.parse(text, file))
    return sorted(reader.uses, key=lambda use: (use.line, use.path))


class Checker:
    """Says of uses how Rill has them."""

    def __init__(self, package):
        self.facts = compare.read_facts()
        self.comparison = compare.Comparison(package, self.facts)

    def check(self, use):
        """(status, why); what goes beyond a known symbol, such as FLAGS.steps, counts as that symbol."""
        if not use.path.startswith("tf.") and use.path != "tf":
            return self._check_private(use)
        symbol = use.path
        while symbol not in self.facts and symbol != "tf":
            owner = symbol.rpartition(".")[0]
            if self.facts.get(owner, self.facts["tf"]).kind == "module":
                return self._check_unlisted(symbol)
            symbol = owner
        if self.facts[symbol].kind == "module":
            return (compare.SAME, "") if self._is_there(symbol) else (compare.MISSING, "")
        finding = self.comparison.look_at(self.facts[symbol])
        if finding.status == compare.MISSING or symbol != use.path:
            return finding.status, finding.why
        return self._check_call(use, finding)

    def _is_there(self, symbol):
        try:
            self.comparison.find(symbol)
            return True
        except AttributeError:
            return False

    def _check_unlisted(self, symbol):
        if self._is_there(symbol):
            return compare.SAME, ""
        return UNKNOWN, "not a public name of TensorFlow 1.15"

    def _check_call(self, use, finding):
        """A signature that differs matters to a call only by the keywords it uses."""
        found = self.comparison.find(use.path)
        signature = compare.signature_of(found.__init__ if isinstance(found, type) else found) \
            if callable(found) else None
        for keyword in use.keywords:
            if signature is not None and not signature.accepts_keyword(keyword):
                return compare.DIFFERS, f"takes no argument '{keyword}'"
        return finding.status, finding.why

    @staticmethod
    def _check_private(use):
        """Modules of `tensorflow` below python, contrib and core: there if they can be imported."""
        parts = use.path.split(".")
        found = None
        for end in range(1, len(parts) + 1):
            try:
                found = importlib.import_module(".".join(parts[:end]))
            except ImportError:
                for name in parts[end - 1:]:
                    try:
                        found = getattr(found, name)
                    except (AttributeError, NotImplementedError) as error:
                        return compare.MISSING, str(error)
                    if not hasattr(found, "__path__"):
                        break  # members of what is no module are not looked into
                break
        return compare.SAME, ""


def _report(checker, file):
    with open(file, encoding="utf-8") as program:
        text = program.read()
    seen, rows = set(), []
    for use in uses_in(text, file):
        status, why = checker.check(use)
        row = {"file": file, "line": use.line, "name": use.path, "status": status, "why": why}
        if (use.line, use.path, why) not in seen:
            seen.add((use.line, use.path, why))
            rows.append(row)
    return rows


def main(arguments):
    """The command line below `rill check`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="rill check", description=__doc__)
    parser.add_argument("--all", action="store_true", help="also the names that are there")
    parser.add_argument("--json", action="store_true", help="the same for programs")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM.py")
    options = parser.parse_args(arguments)
    import tensorflow
    checker = Checker(tensorflow)
    rows = []
    for file in options.programs:
        try:
            rows += _report(checker, file)
        except (OSError, SyntaxError, UnicodeDecodeError, ValueError) as error:
            print(f"rill check: {file}: {error}", file=sys.stderr)
            return 1
    wrong = [row for row in rows if row["status"] != compare.SAME]
    shown = rows if options.all else wrong
    if options.json:
        print(json.dumps({"uses": shown, "checked": len(rows), "wrong": len(wrong)}, indent=1))
    else:
        for row in shown:
            why = f": {row['why']}" if row["why"] else ""
            print(f"{row['file']}:{row['line']}: {row['name']}: {row['status']}{why}")
        print(f"{len(rows)} uses of TensorFlow, {len(wrong)} of them missing or different")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
