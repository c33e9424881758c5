"""Models and logs that TensorFlow wrote (tools/model_goldens.py) are read with TensorFlow's answers."""
import json
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests" / "golden" / "models"
sys.path.append(str(ROOT / "tools"))

import model_goldens  # noqa: E402
from model_cases import reading  # noqa: E402

STORED = {(path.stem, name): found for path in sorted(GOLDEN.glob("*.json"))
          for name, found in json.loads(path.read_text()).items()}


@pytest.mark.parametrize("family, name", STORED, ids=[f"{family}-{name}" for family, name in STORED])
def test_is_read_as_tensorflow_reads_it(family, name):
    found = STORED[family, name]
    got = reading.answer(GOLDEN / family / name, found["question"])
    assert reading.difference(json.loads(json.dumps(got)), found["answer"]) is None


WRITTEN = [(family, name) for family, name in STORED
           if not family.startswith("tf2") and family not in ("board_summaries", "files")]


@pytest.mark.parametrize("family, name", WRITTEN, ids=[f"{family}-{name}" for family, name in WRITTEN])
def test_is_written_as_tensorflow_writes_it(family, name, tmp_path):
    """Read by Rill itself; `./do interop models` lets TensorFlow read."""
    model_goldens.write_case(model_goldens.cases_of(family)[name], tmp_path / "case")
    found = STORED[family, name]
    got = reading.answer(tmp_path / "case", found["question"])
    assert reading.difference(json.loads(json.dumps(got)), found["answer"]) is None


# Tables that change are loaded empty: nothing calls what restores them.
WITH_OBJECTS = [(family, name) for (family, name), found in STORED.items() if family in ("tf2_models", "tf2_keras")
                and found["question"]["kind"] == "saved_model" and name != "mutable_table"]


@pytest.mark.parametrize("family, name", WITH_OBJECTS, ids=[f"{family}-{name}" for family, name in WITH_OBJECTS])
def test_is_loaded_with_its_objects(family, name):
    """By tf.saved_model.load_v2, whose signatures are functions."""
    import tensorflow as tf
    found, got = STORED[family, name], []
    model = tf.saved_model.load_v2(str(GOLDEN / family / name / "model"))
    made = [model.signatures[call["signature"]](**{key: tf.constant(reading.restored(value))
                                                   for key, value in call["feeds"].items()})
            for call in found["question"]["calls"]]
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        for outputs in made:  # one after the other: some change variables
            values = session.run(outputs)
            got.append({key: [reading.described(value)] for key, value in sorted(values.items())})
    assert reading.difference(json.loads(json.dumps(got)), found["answer"]["calls"]) is None


def test_histograms_to_the_last_digit(tmp_path):
    import tensorflow as tf

    def histograms(folder):
        path, = folder.glob("log/*")
        return [value.histo for event in tf.train.summary_iterator(str(path)) for value in event.summary.value]
    model_goldens.write_case(model_goldens.cases_of("events")["histograms"], tmp_path / "case")
    assert histograms(tmp_path / "case") == histograms(GOLDEN / "events" / "histograms")


def test_there_are_many():
    assert len(STORED) >= 150
