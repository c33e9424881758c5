"""`rill api` and `rill check`: Rill's Python interface beside TensorFlow's."""
import json
import os
import pathlib
import subprocess

import pytest

from rill import _api_compare as compare
from rill import _api_coverage, _check

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "api_coverage.md"


def rill(*arguments):
    return subprocess.run([ROOT / "bin" / "rill", *arguments], capture_output=True, text=True, env=os.environ)


@pytest.fixture(scope="module")
def coverage():
    return _api_coverage.measure()


# --- signatures


@pytest.mark.parametrize("wanted, ours, why", [
    ("(x, name=None)", "(x, name=None)", ""),
    ("(self, x)", "(x)", ""),
    ("(x, axis=0.1)", "(x, axis=0.10000000149011612)", ""),
    ("(x, shape=(1, 1))", "(x, shape=[1, 1])", ""),
    ("(x, name=None)", "(x, name=None, *, extra=1)", ""),
    ("(x, name=None)", "(x)", "no argument 'name'"),
    ("(x, y)", "(x, z)", "argument 2 is 'z' and not 'y'"),
    ("(x, n=2)", "(x, n=3)", "'n' is 3 by default and not 2"),
    ("(x, n=2)", "(x, n)", "'n' is required by default and not 2"),
    ("(x)", "(x, y)", "argument 'y' is required"),
    ("(x, n=2)", "(x, *, n=2)", "'n' is taken by keyword only"),
    ("(*args)", "()", "no further arguments"),
    ("(**kwargs)", "()", "no further keywords"),
    ("(x, f=<function relu>)", "(x, f=7)", ""),
])
def test_differences_of_signatures(wanted, ours, why):
    assert compare.difference(compare.parse_signature(wanted), compare.parse_signature(ours)) == why


def test_signatures_of_bound_functions_are_known():
    import rill as tf
    signature = compare.signature_of(tf.Session.run)
    assert [p.name for p in signature.parameters] == ["self", "fetches", "feed_dict", "options",
                                                      "run_metadata"]
    assert [p.value for p in signature.parameters[2:]] == [None, None, None]


def test_a_constant_of_another_value_differs():
    class Package:
        class errors:
            OK = 1
    facts = {s: compare.Fact(s, k, v, "") for s, k, v in (
        ("tf", "module", ""), ("tf.errors", "module", ""), ("tf.errors.OK", "constant", "int = 0"),
        ("tf.errors.ABORTED", "constant", "int = 10"))}
    ok, aborted = compare.Comparison(Package, facts).all()
    assert (ok.status, ok.why) == (compare.DIFFERS, "is 1 and not 0")
    assert (aborted.status, aborted.module) == (compare.MISSING, "tf.errors")


# --- coverage


def test_every_row_is_counted_once(coverage):
    facts = compare.read_facts()
    members = [fact for fact in facts.values() if fact.kind != "module"]
    assert coverage.totals["all"].of == len(members)
    assert sum(counts["all"].of for counts in coverage.modules.values()) == len(members)
    assert coverage.totals["all"].same == sum(f.status == compare.SAME for f in coverage.findings)




def _numbers(page):
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| t")]
    return {row[0]: [cell.partition(" / ")[::2] for cell in row[2:]] for row in rows}


def test_there_is_what_the_page_says(coverage):
    """Never less. What there is more goes into the page when it is next written."""
    stated, true = _numbers(PAGE.read_text()), _numbers(_api_coverage.page(coverage))
    hint = "; write it anew: bin/rill api --markdown > docs/api_coverage.md"
    assert stated.keys() == true.keys(), hint
    for module, cells in stated.items():
        for kind, (have, of), (have_now, of_now) in zip(_api_coverage.KINDS, cells, true[module]):
            assert of == of_now, f"{module} {kind}{hint}"
            assert have == "-" or int(have) <= int(have_now), \
                f"{module}: {kind} fell from {have} to {have_now} (bin/rill api --missing {module})"


def test_the_page_does_not_lag_far_behind(coverage):
    total = next(line for line in PAGE.read_text().splitlines() if line.startswith("| total"))
    stated = int(total.split("|")[2].strip(" %"))
    assert coverage.totals["all"].percent - stated <= 5, \
        "write it anew: bin/rill api --markdown > docs/api_coverage.md"


def test_the_command_prints_tables_and_json(coverage):
    table = rill("api", "--coverage", "--missing", "tf.errors")
    assert table.returncode == 0 and table.stdout.splitlines()[1].startswith("tf.errors")
    numbers = json.loads(rill("api", "--json", "tf.errors").stdout)
    counts = coverage.modules["tf.errors"]["all"]
    assert numbers["modules"]["tf.errors"]["all"] == {"have": counts.same, "of": counts.of}
    assert rill("api", "--markdown").stdout == _api_coverage.page(coverage)


def test_an_unknown_module_is_a_wrong_command_line():
    done = rill("api", "tf.nonsense")
    assert done.returncode == 2 and "tf.nonsense" in done.stderr


# --- programs

PROGRAM = """\
import tensorflow as tf
import tensorflow.compat.v1 as tf1
from tensorflow.python.framework import ops as framework
from tensorflow import placeholder as hole

errors = tf.errors
x = hole(tf.float32, shape=[2], name='x')
y = tf1.identity(x, nonsense=1)
graph = framework.get_default_graph()
tf.no_such_name(x)
raise errors.OpError(None, None, 'message', 3)
tf.errors.NoSuchError
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return str(path)


def test_names_are_followed_through_imports_and_assignments():
    uses = {(use.line, use.path) for use in _check.uses_in(PROGRAM)}
    assert {(4, "tf.placeholder"), (6, "tf.errors"), (7, "tf.placeholder"), (7, "tf.float32"),
            (8, "tf.identity"), (9, "tensorflow.python.framework.ops.get_default_graph"),
            (11, "tf.errors.OpError")} <= uses


def test_check_names_lines_and_reasons(program):
    done = rill("check", program)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert f"{program}:8: tf.identity: differs: takes no argument 'nonsense'" in lines
    assert f"{program}:10: tf.no_such_name: unknown: not a public name of TensorFlow 1.15" in lines
    assert any(line.startswith(f"{program}:12: tf.errors.NoSuchError: ") for line in lines)
    assert not any("OpError" in line or "get_default_graph" in line for line in lines)


def test_check_as_json(program):
    report = json.loads(rill("check", "--json", "--all", program).stdout)
    assert report["wrong"] == 3 and report["checked"] == len(report["uses"])
    assert {"file": program, "line": 7, "name": "tf.placeholder", "status": "same", "why": ""} \
        in report["uses"]


def test_a_program_that_is_fine_ends_with_0(tmp_path):
    path = tmp_path / "fine.py"
    path.write_text("import tensorflow as tf\nprint(tf.Session().run(tf.constant(1)))\n")
    done = rill("check", str(path))
    assert (done.returncode, done.stdout) == (0, "2 uses of TensorFlow, 0 of them missing or different\n")


def test_a_file_that_is_no_program_is_a_failure(tmp_path):
    path = tmp_path / "no.py"
    path.write_text("def (:\n")
    done = rill("check", str(path))
    assert done.returncode == 1 and str(path) in done.stderr
    assert rill("check", str(tmp_path / "absent.py")).returncode == 1
    assert rill("check").returncode == 2
