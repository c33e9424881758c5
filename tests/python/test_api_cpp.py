"""`rill api --cpp`: TensorFlow's functions and classes in C++."""
import fnmatch
import pathlib
import re
import shutil

import pytest

from rill import _api_cpp

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "api_coverage.md"
HINT = "; write it anew: (bin/rill api --markdown; echo; bin/rill api --cpp --markdown) > docs/api_coverage.md"

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="there is no compiler")


@pytest.fixture(scope="module")
def names():
    return _api_cpp.measure()


def _stated():
    part = PAGE.read_text().partition("# The same in C++")[2]
    return {row[0]: (int(row[1]), int(row[2])) for row in re.findall(
        r"^\| (rill[\w:]*|all) \| \d+ % \| (\d+) / (\d+) \|", part, re.MULTILINE)}


def test_there_is_what_the_page_says(names):
    now = {_api_cpp.cells(module, count)[0]: count for module, count in _api_cpp.counts(names).items()}
    stated = _stated()
    assert stated.keys() == now.keys(), HINT
    for namespace, (have, of) in stated.items():
        assert of == _api_cpp.wanted(now[namespace]), namespace + HINT
        assert have <= now[namespace][_api_cpp.HAVE], f"{namespace} fell: bin/rill api --cpp --missing" + HINT


def test_the_page_does_not_lag_far_behind(names):
    have, of = _stated()["all"]
    assert _api_cpp.share(_api_cpp.counts(names)["all"]) - 100 * have // of <= 2, HINT


def test_only_what_a_compiler_finds_is_there():
    tried = ["rill::nn::relu", "rill::nn::no_such_function", "rill::no_such_namespace::relu", "rill::GraphKeys",
             "rill::Session", "rill::keras"]
    assert _api_cpp.declared(tried) == {"rill::nn::relu", "rill::GraphKeys", "rill::Session", "rill::keras"}


def test_names_that_cpp_keeps_for_itself():
    assert _api_cpp.cpp_name("tf.case") == "rill::case_"
    assert _api_cpp.cpp_name("tf.estimator.export.ExportOutput") == "rill::estimator::export_::ExportOutput"


def test_each_reason_is_needed(names):
    left_out = [name.symbol for name in names if name.status == _api_cpp.PYTHONS_OWN]
    for pattern, why in _api_cpp.reasons():
        assert why
        assert any(fnmatch.fnmatchcase(symbol, pattern) for symbol in left_out), f"nothing is left out by {pattern}"


def test_a_compiler_that_is_none_is_an_error():
    with pytest.raises(RuntimeError, match="headers of Rill do not compile"):
        _api_cpp.declared(["rill::nn::relu"], compiler="false")
