"""Datasets in lists, keys of groups, and columns of packed files."""
import gzip

import pytest
import rill as tf

Dataset = tf.data.Dataset


def rows(dataset):
    following = tf.data.make_one_shot_iterator(dataset).get_next()
    found = []
    with tf.Session() as session:
        while True:
            try:
                found.append(session.run(following))
            except tf.errors.OutOfRangeError:
                return found


def test_a_list_of_datasets_is_one_component():
    both = Dataset.from_tensors([Dataset.range(3), Dataset.range(4)])
    assert both.element_spec._dataset_shape == [2]
    assert rows(both.unbatch().flat_map(lambda x: x)) == [0, 1, 2, 0, 1, 2, 3]
    sliced = Dataset.from_tensor_slices([Dataset.range(3), Dataset.range(2)])
    assert rows(sliced.flat_map(lambda x: x)) == [0, 1, 2, 0, 1]
    assert rows(sliced.batch(2).unbatch().flat_map(lambda x: x)) == [0, 1, 2, 0, 1]
    beside = Dataset.from_tensors(([Dataset.range(1), Dataset.range(2)], [5, 6]))
    assert rows(beside.unbatch().flat_map(lambda x, y: x)) == [0, 0, 1]


@pytest.mark.parametrize("key", [lambda x: [x, x], lambda x: tf.cast(x, tf.int32), lambda x: (x, x), lambda x: "a"])
def test_keys_of_groups_are_scalars_of_int64(key):
    reducer = tf.data.experimental.Reducer(lambda _: tf.constant(0, tf.int64), lambda a, b: a + b, lambda a: a)
    with pytest.raises(ValueError, match="`key_func` must return a single tf.int64"):
        Dataset.range(3).apply(tf.data.experimental.group_by_reducer(key, reducer))
    with pytest.raises((TypeError, ValueError), match="`key_func` must return a single tf.int64|int64.* int32|int64.* 'str'"):
        Dataset.range(3).apply(tf.data.experimental.group_by_window(key, lambda _, window: window, 3))


def test_columns_of_a_packed_csv_file_are_inferred(tmp_path):
    path = tmp_path / "a.csv.gz"
    with gzip.open(path, "wt") as file:
        file.write("a,b,c\n" + "".join(f"{i},\"x\n{i}\",{i}.5\n" for i in range(20000)))

    def read(**options):
        return tf.data.experimental.make_csv_dataset(
            str(path), 2, shuffle=False, num_epochs=1, num_rows_for_inference=None, **options)

    first = rows(read(compression_type="GZIP").take(1))[0]
    assert list(first) == ["a", "b", "c"]
    assert [first[name].tolist() for name in first] == [[0, 1], [b"x\n0", b"x\n1"], [0.5, 1.5]]
    assert read(compression_type="GZIP").element_spec["c"].dtype == tf.float32
    with pytest.raises(ValueError, match="ZLIB. is not supported for probing columns"):
        read(compression_type="ZLIB")
