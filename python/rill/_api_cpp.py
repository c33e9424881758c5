"""`rill api --cpp`: which of TensorFlow 1.15's functions and classes the C++ interface has, module by module.

A name counts when a C++ compiler finds it where TensorFlow has it: `using rill::nn::relu;` for tf.nn.relu. Nothing
is looked up in lists or texts, so neither a comment nor a name that is only planned counts.
"""

import collections
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from rill import _api_compare as compare
from rill import sysconfig

# Modules of tf.contrib that are compared; their names are in tf1_contrib_names.tsv.
CONTRIB = ("crf", "framework", "layers", "legacy_seq2seq", "losses", "lookup", "metrics", "opt", "rnn", "seq2seq",
           "slim", "training")
# Words that C++ keeps for itself; a name that is one ends in an underscore: tf.case is rill::case_.
KEYWORDS = frozenset("case default delete double export float int switch bool and or not xor union".split())
HAVE, LACKS, PYTHONS_OWN, NOWHERE = "have", "missing", "left out", "missing in Python, too"


@dataclasses.dataclass(frozen=True)
class Name:
    """One function or class of TensorFlow, and what became of it."""

    symbol: str
    module: str
    status: str
    why: str = ""


def _here(name):
    return pathlib.Path(__file__).resolve().parent / name


def reasons():
    """Patterns of symbols that are Python's own nature, in order, with the reason."""
    rows = (line.split("\t") for line in _here("_api_cpp_pythons_own.tsv").read_text().splitlines()[1:])
    return [(pattern, why) for pattern, why in rows]


def reason(symbol, rows):
    """Why C++ has no use for a symbol; "" where it should have it."""
    return next((why for pattern, why in rows if fnmatch.fnmatchcase(symbol, pattern)), "")


def public_names():
    """Functions and classes of public modules, as symbol -> module. Raw ops are generated, all of them."""
    facts = compare.read_facts()
    modules = {symbol for symbol, fact in facts.items() if fact.kind == "module"}
    found = {s: s.rpartition(".")[0] for s, f in facts.items() if f.kind in ("function", "class")}
    names = {symbol: module for symbol, module in found.items() if module in modules}
    lines = compare.table_path().with_name("tf1_contrib_names.tsv").read_text().splitlines()[1:]
    for symbol, kind in (line.split("\t") for line in lines):
        module = symbol.rpartition(".")[0]
        if kind in ("function", "class") and module.removeprefix("tf.contrib.") in CONTRIB:
            names[symbol] = module
    return names


def cpp_name(symbol):
    """tf.estimator.export.X as rill::estimator::export_::X."""
    words = ["rill", *symbol.split(".")[1:]]
    if words[1:2] == ["summary"]:
        words[1] = "summaries"  # rill::summary is the text of a tensor
    return "::".join(word + "_" if word in KEYWORDS else word for word in words)


def headers():
    """What a program may include: rill/rill.h and the headers of the areas beside it."""
    folders = [pathlib.Path(flag[2:]) for flag in sysconfig.get_compile_flags() if flag.startswith("-I")]
    return sorted({f"rill/{path.name}" for folder in folders for path in folder.glob("rill/*.h")})


def _complaints(source, compiler):
    """The lines of `source` that the compiler finds fault with."""
    with tempfile.NamedTemporaryFile("w", suffix=".cc") as file:
        file.write(source)
        file.flush()
        command = [compiler, "-std=c++20", *sysconfig.get_compile_flags(), "-fsyntax-only", "-w", "-O0",
                   "-fno-diagnostics-show-caret", "-fdiagnostics-color=never",
                   "-ferror-limit=0" if "clang" in compiler else "-fmax-errors=0", file.name]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        lines = {int(n) for n in re.findall(rf"^{re.escape(file.name)}:(\d+):\d+: (?:fatal )?error:", done.stderr,
                                            re.MULTILINE)}
    elsewhere = [line for line in done.stderr.splitlines()
                 if re.search(r": (fatal )?error:", line) and not line.startswith(file.name)]
    if elsewhere or (done.returncode != 0 and not lines):
        raise RuntimeError("the headers of Rill do not compile: " + (elsewhere or [done.stderr])[0])
    return lines


def declared(names, compiler=None):
    """Those of `names` (rill::nn::relu) that are declared, as the compiler sees it in one run.

    A class of Python that holds only constants may be a namespace in C++, so each name is tried as both.
    """
    compiler = compiler or os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if not compiler:
        raise RuntimeError("there is no C++ compiler: g++ or clang++, or CXX names one")
    lines = [f"#include <{header}>" for header in headers()]
    places = {}
    for i, name in enumerate(names):
        for text in (f"using {name};", f"namespace as_namespace = {name};"):
            lines.append(f"namespace try_{i}_{len(lines)} {{ {text} }}")
            places.setdefault(name, []).append(len(lines))
    wrong = _complaints("\n".join(lines) + "\n", compiler)
    return {name for name, tried in places.items() if not wrong.issuperset(tried)}


def measure(compiler=None):
    """All names, judged."""
    import rill
    names, rows = public_names(), reasons()
    python = compare.Comparison(rill, {})
    there = declared([cpp_name(symbol) for symbol in names], compiler)
    return [_judged(symbol, module, cpp_name(symbol) in there, rows, python) for symbol, module in names.items()]


def _judged(symbol, module, has, rows, python):
    if has:
        return Name(symbol, module, HAVE)
    if why := reason(symbol, rows):
        return Name(symbol, module, PYTHONS_OWN, why)
    return Name(symbol, module, LACKS if _python_has(python, symbol) else NOWHERE)


def _python_has(python, symbol):
    try:
        python.find(symbol)
    except (AttributeError, NotImplementedError):
        return False
    return True


# --- the table


def counts(names):
    """By module: how many names have which status. The total leaves raw ops out: they are generated, all of them."""
    by_module = collections.defaultdict(collections.Counter)
    for name in names:
        by_module[name.module][name.status] += 1
    rows = {module: by_module[module] for module in sorted(by_module)}
    rows["all"] = sum((count for module, count in rows.items() if module != "tf.raw_ops"), collections.Counter())
    return rows


def wanted(count):
    """How many names C++ should have."""
    return count.total() - count[PYTHONS_OWN]


def share(count):
    """Percent of what C++ should have, rounded down."""
    return 100 * count[HAVE] // wanted(count) if wanted(count) else 100


def cells(module, count):
    """A row of the table."""
    return (cpp_name(module) if module != "all" else module, f"{share(count)} %", f"{count[HAVE]} / {wanted(count)}",
            str(count[NOWHERE]), str(count[PYTHONS_OWN]))


HEADER = ("namespace", "have", "functions and classes", "missing in Python, too", "left out")


def page(names):
    """The part of docs/api_coverage.md about C++."""
    lines = ["# The same in C++", "",
             "Written by `rill api --cpp --markdown`. A function or class of TensorFlow's Python interface counts when a",
             "compiler finds it in C++ under the same module and name, `rill::nn::relu` for `tf.nn.relu`; names that C++",
             "keeps for itself end in an underscore (`rill::case_`, `rill::estimator::export_`), and `tf.summary` is",
             "`rill::summaries`. `all` is without the raw ops. What C++ has no use for is listed below and left out of",
             "the shares. `rill api --cpp --missing tf.nn` names what is missing.", "",
             "| " + " | ".join(HEADER) + " |", "|---" * len(HEADER) + "|"]
    lines += ["| " + " | ".join(cells(*row)) + " |" for row in counts(names).items()]
    lines += ["", "Left out, and why:", ""]
    lines += [f"- {', '.join(symbols)}: {why}" for why, symbols in _by_reason(names).items()]
    return "\n".join(lines) + "\n"


def _by_reason(names):
    found = collections.defaultdict(list)
    for name in names:
        if name.status == PYTHONS_OWN:
            found[name.why].append(name.symbol)
    return {why: _shortened(symbols) for why, symbols in sorted(found.items())}


def _shortened(symbols):
    """Of more than a few the modules alone."""
    return sorted(symbols) if len(symbols) <= 24 else sorted({s.rpartition(".")[0] + ".*" for s in symbols})


def _lacking(names, module):
    return sorted(name.symbol for name in names if name.module == module and name.status in (LACKS, NOWHERE))


def _print_table(names, missing, only):
    rows = [(module, cells(module, count)) for module, count in counts(names).items() if not only or module in only]
    widths = [max(len(row[i]) for row in (HEADER, *(row for _, row in rows))) for i in range(len(HEADER))]
    for module, row in [("", HEADER), *rows]:
        print("  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]))
        if missing:
            for symbol in _lacking(names, module):
                print("    " + cpp_name(symbol))


def _print_json(names, only):
    modules = {module: {"have": count[HAVE], "of": wanted(count), "lacking": _lacking(names, module)}
               for module, count in counts(names).items() if not only or module in only}
    print(json.dumps(modules, indent=1))


def main(options, parser):
    """`rill api --cpp`."""
    try:
        names = measure()
    except RuntimeError as error:
        print(f"rill api: {error}", file=sys.stderr)
        return 1
    unknown = [module for module in options.modules if module not in counts(names)]
    if unknown:
        parser.error(f"TensorFlow has no public module {unknown[0]}")
    if options.json:
        _print_json(names, options.modules)
    elif options.markdown:
        print(page(names), end="")
    else:
        _print_table(names, options.missing, options.modules)
    return 0
