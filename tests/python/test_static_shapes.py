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
import shape_cases  # noqa: E402
import shape_differences  # noqa: E402
import shape_variants  # noqa: E402

GOLDEN = json.loads(golden_files.read(TESTS / "golden" / "shapes.json.gz"))


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
