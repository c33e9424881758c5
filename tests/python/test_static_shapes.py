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
    wanted = {**GOLDEN[name], **shape_differences.of(name)}
    assert shape_variants.record(rill, function, items) == wanted


def test_differences_are_differences():
    for name in shape_differences.names():
        for variant, shapes in shape_differences.of(name).items():
            assert GOLDEN[name][variant] != shapes, (name, variant)
