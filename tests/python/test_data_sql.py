"""SqlDataset: rows of SQLite databases."""
import sqlite3

import pytest
import tensorflow as tf

from rill import raw_ops

SCRIPT = """
create table t(a int, b real, c text, d blob);
insert into t values(1,2.5,'x',x'0102'),(-3,1e10,NULL,'q'),(300,'abc',7,NULL);
"""


@pytest.fixture(name="database")
def make_database(tmp_path):
    connection = sqlite3.connect(tmp_path / "d.sqlite")
    connection.executescript(SCRIPT)
    connection.close()
    return str(tmp_path / "d.sqlite")


def rows(database, query, types, driver="sqlite", prefix=None):
    """All rows; with a prefix, the position is saved behind the first one and taken up again."""
    spec = {"output_types": types, "output_shapes": [tf.TensorShape([])] * len(types)}
    with tf.Graph().as_default():
        dataset = raw_ops.SqlDataset(
            driver_name=driver, data_source_name=database, query=query, **spec)
        iterator = raw_ops.IteratorV2(shared_name="", container="", **spec)
        init = raw_ops.MakeIterator(dataset=dataset, iterator=iterator)
        following = raw_ops.IteratorGetNext(iterator=iterator, **spec)
        with tf.Session() as session:
            session.run(init)
            found = walked(session, following, 1) if prefix else []
            if prefix:
                names = {"prefix": prefix, "tensor_names": ["it"], "shape_and_slices": [""]}
                session.run(raw_ops.SaveV2(
                    tensors=[raw_ops.SerializeIterator(resource_handle=iterator)], **names))
                restored = raw_ops.RestoreV2(dtypes=[tf.variant], **names)[0]
                walked(session, following)
                session.run(raw_ops.DeserializeIterator(
                    resource_handle=iterator, serialized=restored))
            return found + walked(session, following)


def walked(session, following, most=100):
    found = []
    while len(found) < most:
        try:
            found.append(tuple(session.run(following)))
        except tf.errors.OutOfRangeError:
            break
    return found


def test_columns_become_what_is_asked_for(database, tmp_path):
    assert rows(database, "select a, b, c, d from t order by a",
                [tf.int64, tf.float64, tf.string, tf.string], prefix=str(tmp_path / "p")) == [
                    (-3, 1e10, b"", b"q"), (1, 2.5, b"x", b"\x01\x02"), (300, 0.0, b"7", b"")]
    small = [tf.int8, tf.int16, tf.int32, tf.uint8, tf.uint16, tf.bool, tf.string]
    assert rows(database, "select a, a, a, a, a, a, a from t where a > 1", small) == [
        (44, 300, 300, 44, 300, True, b"300")]
    assert rows(database, "select a from t where a > 1000", [tf.int64]) == []


@pytest.mark.parametrize(("query", "types", "error", "text"), [
    ("selekt", [tf.int64], tf.errors.UnknownError,
     r'Prepare\(\) failed: \[1\] near "selekt": syntax error: selekt'),
    ("select a, b from t", [tf.int64], tf.errors.InvalidArgumentError,
     r"The number of columns in query \(2\) must match the number of elements in output_types"),
    ("select a from t", [tf.float32], tf.errors.InvalidArgumentError,
     "Each element of `output_types_` must be one of"),
])
def test_what_cannot_be_had(database, query, types, error, text):
    with pytest.raises(error, match=text):
        rows(database, query, types)


def test_what_is_not_there(database, tmp_path):
    with pytest.raises(tf.errors.NotFoundError):
        rows(str(tmp_path / "none"), "select 1", [tf.int64])
    with pytest.raises(tf.errors.InvalidArgumentError, match="The database type, mysql, is not"):
        rows(database, "select 1", [tf.int64], "mysql")
