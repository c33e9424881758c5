"""`rill api`: how much of TensorFlow 1.15's Python interface there is, module by module."""

import argparse
import collections
import json
import sys

from rill import _api_compare as compare

KINDS = {"function": "functions", "class": "classes", "method": "methods", "property": "properties",
         "constant": "constants"}


class Count:
    """How many symbols of a kind are there as they should be."""

    def __init__(self):
        self.same = self.of = 0

    def add(self, finding):
        self.of += 1
        self.same += finding.status == compare.SAME

    @property
    def percent(self):
        """Rounded down: 100 is said of what is complete."""
        return 100 * self.same // self.of if self.of else 100


class Coverage:
    """The counts of every module and kind."""

    def __init__(self, findings):
        self.findings = findings
        self.modules = collections.defaultdict(lambda: collections.defaultdict(Count))
        self.totals = collections.defaultdict(Count)
        for finding in findings:
            counts = self.modules[finding.module]
            for count in (counts[finding.fact.kind], counts["all"], self.totals[finding.fact.kind],
                          self.totals["all"]):
                count.add(finding)

    def lacking(self, module):
        """What is missing or differs in a module; members of a missing class are left out."""
        absent = {f.fact.symbol for f in self.findings if f.status == compare.MISSING}
        return [f for f in self.findings
                if f.module == module and f.status != compare.SAME
                and f.fact.symbol.rpartition(".")[0] not in absent]


def measure(facts=None):
    """The coverage of the `rill` package by the table of TensorFlow's interface."""
    import rill
    return Coverage(compare.Comparison(rill, facts or compare.read_facts()).all())


def _cells(counts):
    return [f"{counts[kind].same} / {counts[kind].of}" if counts[kind].of else "-" for kind in KINDS]


def _rows(coverage):
    for module in sorted(coverage.modules):
        counts = coverage.modules[module]
        yield module, f"{counts['all'].percent} %", *_cells(counts)
    yield "total", f"{coverage.totals['all'].percent} %", *_cells(coverage.totals)


def _complaint(finding):
    text = f"{finding.fact.symbol}: {finding.status}"
    return f"{text}: {finding.why}" if finding.why else text


def print_table(coverage, missing, only):
    """For people."""
    header = ("module", "have", *KINDS.values())
    rows = [row for row in _rows(coverage) if not only or row[0] in only]
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    for row in (header, *rows):
        print("  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]))
        if missing and row[0] in coverage.modules:
            for finding in coverage.lacking(row[0]):
                print("    " + _complaint(finding))


def print_json(coverage, only):
    """For programs."""
    modules = {}
    for module in sorted(coverage.modules):
        if not only or module in only:
            counts = coverage.modules[module]
            modules[module] = {kind: {"have": counts[kind].same, "of": counts[kind].of}
                               for kind in (*KINDS, "all")}
            modules[module]["lacking"] = {f.fact.symbol: f.why or f.status
                                          for f in coverage.lacking(module)}
    total = coverage.totals["all"]
    print(json.dumps({"modules": modules, "total": {"have": total.same, "of": total.of}}, indent=1))


def page(coverage):
    """docs/api_coverage.md."""
    lines = ["# TensorFlow 1.15's Python interface in Rill", "",
             "Written by `rill api --coverage --markdown`. A name counts when it is there with TensorFlow's",
             "signature: arguments, their order and defaults. There is at least what the table says; the tests",
             "fail when there is less. `rill api --coverage --missing tf.nn` names what is missing or differs.", "",
             "| module | have | " + " | ".join(KINDS.values()) + " |", "|---" * (len(KINDS) + 2) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in _rows(coverage)]
    return "\n".join(lines) + "\n"


def main(arguments):
    """The command line below `rill api`."""
    parser = argparse.ArgumentParser(prog="rill api", description=__doc__)
    parser.add_argument("--coverage", action="store_true", help="compare with TensorFlow 1.15 (the default)")
    parser.add_argument("--cpp", action="store_true", help="compare the C++ interface instead")
    parser.add_argument("--missing", action="store_true", help="and name what is missing or differs")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the same for programs")
    form.add_argument("--markdown", action="store_true", help="as docs/api_coverage.md has it")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="only these, as tf.nn")
    options = parser.parse_args(arguments)
    if options.cpp:
        from rill import _api_cpp
        return _api_cpp.main(options, parser)
    coverage = measure()
    unknown = [module for module in options.modules if module not in coverage.modules]
    if unknown:
        parser.error(f"TensorFlow has no public module {unknown[0]}")
    if options.json:
        print_json(coverage, options.modules)
    elif options.markdown:
        print(page(coverage), end="")
    else:
        print_table(coverage, options.missing, options.modules)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
