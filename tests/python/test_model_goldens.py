"""Models and logs that TensorFlow wrote (tools/model_goldens.py) are read with TensorFlow's answers."""
import json
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests" / "golden" / "models"
sys.path.append(str(ROOT / "tools"))

from model_cases import reading  # noqa: E402

STORED = {(path.stem, name): found for path in sorted(GOLDEN.glob("*.json"))
          for name, found in json.loads(path.read_text()).items()}


@pytest.mark.parametrize("family, name", STORED, ids=[f"{family}-{name}" for family, name in STORED])
def test_is_read_as_tensorflow_reads_it(family, name):
    found = STORED[family, name]
    got = reading.answer(GOLDEN / family / name, found["question"])
    assert reading.difference(json.loads(json.dumps(got)), found["answer"]) is None


def test_there_are_many():
    assert len(STORED) >= 60
