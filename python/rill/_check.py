"""`rill check`: which names of TensorFlow a program uses that Rill has, lacks, or has otherwise.

The program is read, not run. Names are followed through imports and plain assignments (`nn = tf.nn`); what is
called on values, such as `tensor.eval()`, cannot be told from the text.
"""

import argparse
import importlib
import json
import sys
import types

from rill import _absent, _refusals
from rill import _api_compare as compare
from rill._check_uses import uses_in

UNKNOWN = "unknown"  # neither TensorFlow's table of names nor Rill has it


class Checker:
    """Says of uses how Rill has them."""

    def __init__(self, package):
        self.facts = compare.read_facts()
        self.comparison = compare.Comparison(package, self.facts)

    def check(self, use):
        """(status, why); what goes beyond a known symbol, such as FLAGS.steps, counts as that symbol."""
        if not use.path.startswith("tf.") and use.path != "tf":
            return self._check_private(use)
        symbol = self._longest_known(use.path)
        if symbol == use.path or self.facts[symbol].kind != "module":
            return self._check_known(use, symbol)
        name = use.path.removeprefix(symbol + ".").partition(".")[0]
        return self._check_unlisted(f"{symbol}.{name}")

    def _longest_known(self, path):
        while path not in self.facts:
            path = path.rpartition(".")[0]
        return path

    def _check_known(self, use, symbol):
        if self.facts[symbol].kind == "module":
            return (compare.SAME, "") if self._is_there(symbol) else (compare.MISSING, "")
        finding = self.comparison.look_at(self.facts[symbol])
        if finding.status == compare.MISSING:
            return finding.status, finding.why
        refusal = _refusals.refusal_of(self.comparison.find(symbol))
        if refusal is not None:
            return compare.MISSING, refusal
        if symbol != use.path:
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
        new = _absent.old_names().get(symbol.removeprefix("tf."))
        return UNKNOWN, f"it is tf.{new} since TensorFlow 1.0" if new else "not a public name of TensorFlow 1.15"

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
        """Modules of `tensorflow` below python, contrib, core and examples: there if they can be imported."""
        parts = use.path.split(".")
        found = importlib.import_module(parts[0])
        for end in range(2, len(parts) + 1):
            try:
                found = _member(found, ".".join(parts[:end]))
            except (AttributeError, ImportError, NotImplementedError) as error:
                return compare.MISSING, str(error)
            if not isinstance(found, types.ModuleType):
                break  # members of what is no module are not looked into
        refusal = _refusals.refusal_of(found)
        return (compare.SAME, "") if refusal is None else (compare.MISSING, refusal)


def _member(owner, path):
    """What a module has under the last name of a path: a module below it, or a member."""
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        return getattr(owner, path.rpartition(".")[2])


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
