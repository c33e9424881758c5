"""Static shapes of many calls, with pieces of what is known of the inputs dropped, are TensorFlow's."""
import json
import pathlib
import sys

import pytest

import rill

TESTS = pathlib.Path(__file__).resolve().parent.parent
for folder in ("shapes", "golden"):
    sys.path.insert(0, str(TESTS / folder))

import golden_files  # noqa: E402
import message_differences  # noqa: E402
import shape_cases  # noqa: E402
import shape_differences  # noqa: E402
import shape_variants  # noqa: E402
import wrong_inputs  # noqa: E402

GOLDEN = json.loads(golden_files.read(TESTS / "golden" / "shapes.json.gz"))
MESSAGES = json.loads(golden_files.read(TESTS / "golden" / "shape_messages.json.gz"))


@pytest.mark.parametrize("name", sorted(shape_cases.CASES))
def test_shapes(name):
    function, items = shape_cases.CASES[name]
    ours = shape_variants.record(rill, function, items)
    assert ours.keys() == GOLDEN[name].keys()
    different = {variant: (ours[variant], theirs) for variant, theirs in GOLDEN[name].items()
                 if ours[variant] != theirs}
    expected = shape_differences.DIFFERENCES.get(name)
    if expected is None:
        assert different == {}
        return
    assert len(different) == expected.count
    for variant, (shapes, theirs) in different.items():
        assert shape_differences.fits(expected.kind, shapes, theirs), (variant, shapes, theirs)


def test_differences_are_of_calls():
    assert shape_differences.DIFFERENCES.keys() <= shape_cases.CASES.keys()


@pytest.mark.parametrize("name", sorted(shape_cases.CASES))
def test_messages(name):
    function, items = shape_cases.CASES[name]
    ours = wrong_inputs.messages(rill, function, items)
    different = {change for change, theirs in MESSAGES[name].items() if ours[change] != theirs}
    assert ours.keys() == MESSAGES[name].keys()
    assert different == message_differences.of(name), [(ours[c], MESSAGES[name][c]) for c in different]


def test_messages_differ_rarely():
    assert sum(len(message_differences.of(name)) for name in MESSAGES) <= 0.15 * sum(map(len, MESSAGES.values()))


def evaluated_size(make):
    with rill.Graph().as_default():
        return rill.zeros([make()]).shape.as_list()


def after_placeholder():
    with rill.control_dependencies([rill.placeholder(rill.float32, [])]):
        return rill.constant(2) + rill.constant(3)


def deep_sum():
    total = rill.constant(0)
    for _ in range(20000):
        total = rill.negative(total)
    return rill.reduce_max(rill.stack([total, 7]))


EVALUATED = {
    "ordered after a feed": (after_placeholder, [5]),
    "through floats": (lambda: rill.cast(rill.ceil(3.2), rill.int32), [4]),
    "through strings": (lambda: rill.size(rill.string_split(["a b c"]).values), [3]),
    "picked": (lambda: rill.where(rill.constant(True), 4, 5), [4]),
    "many nodes": (deep_sum, [7]),
    "variable": (lambda: rill.Variable(3), [None]),
    "may be fed": (lambda: rill.placeholder_with_default(3, []), [None]),
    "branch": (lambda: rill.cond(rill.constant(True), lambda: 3, lambda: 4), [None]),
    "random": (lambda: rill.cast(rill.random_uniform([]) * 0 + 3, rill.int32), [None]),
    "one size of a partly known shape": (
        lambda: rill.shape(rill.placeholder(rill.float32, [None, 3]))[1], [None]),
}


@pytest.mark.parametrize("name", sorted(EVALUATED))
def test_values_are_evaluated_for_shapes(name):
    make, wanted = EVALUATED[name]
    assert evaluated_size(make) == wanted
