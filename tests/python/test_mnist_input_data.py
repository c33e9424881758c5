"""tensorflow.examples.tutorials.mnist: digits from files, in batches."""

import gzip
import struct

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data


def write(path, array):
    header = struct.pack(">BBBB", 0, 0, 8, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    data = header + array.astype(np.uint8).tobytes()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


@pytest.fixture
def folder(tmp_path):
    digits = np.arange(12 * 4 * 4).reshape(12, 4, 4) % 256
    labels = np.arange(12) % 10
    for kind, count, ending in (("train", 12, ".gz"), ("t10k", 4, "")):
        write(tmp_path / f"{kind}-images-idx3-ubyte{ending}", digits[:count])
        write(tmp_path / f"{kind}-labels-idx1-ubyte{ending}", labels[:count])
    return tmp_path


def test_sets(folder):
    sets = input_data.read_data_sets(str(folder), one_hot=True, validation_size=2)
    assert [part.num_examples for part in sets] == [10, 2, 4]
    assert sets.train.images.shape == (10, 16) and sets.train.images.dtype == np.float32
    assert sets.validation.labels.tolist() == np.eye(10)[:2].tolist()
    np.testing.assert_allclose(sets.test.images[0], np.arange(16) / 255, rtol=1e-6)


def test_images_as_they_are(folder):
    sets = input_data.read_data_sets(str(folder), dtype=tf.uint8, reshape=False, validation_size=0)
    assert sets.train.images.shape == (12, 4, 4, 1) and sets.train.images.dtype == np.uint8
    assert sets.train.labels.tolist() == [n % 10 for n in range(12)]


def test_batches_follow_numpys_order(folder):
    sets = input_data.read_data_sets(str(folder), validation_size=2, seed=3)
    np.random.seed(3)
    first, second = np.arange(10), np.arange(10)
    np.random.shuffle(first)
    np.random.shuffle(second)
    np.random.seed(3)
    labels = [sets.train.next_batch(4)[1] for _ in range(3)]
    expected = (np.arange(12) % 10)[2:]
    assert labels[0].tolist() == expected[first[:4]].tolist()
    assert labels[2].tolist() == [*expected[first[8:]], *expected[first][second[:2]]]
    assert sets.train.epochs_completed == 1


def test_unshuffled(folder):
    sets = input_data.read_data_sets(str(folder), validation_size=0)
    assert sets.train.next_batch(3, shuffle=False)[1].tolist() == [0, 1, 2]


def test_missing_files_are_named(tmp_path):
    with pytest.raises(tf.errors.UnavailableError, match=f"put this file at {tmp_path}/train-images-idx3-ubyte.gz"):
        input_data.read_data_sets(str(tmp_path), source_url="http://127.0.0.1:1/")


def test_other_files_are_refused(folder):
    (folder / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(b"no idx"))
    with pytest.raises(ValueError, match="no IDX file"):
        input_data.read_data_sets(str(folder))


def test_too_many_to_validate(folder):
    with pytest.raises(ValueError, match="Validation size should be between 0 and 12"):
        input_data.read_data_sets(str(folder))


def test_fake_data():
    sets = input_data.read_data_sets("", fake_data=True, one_hot=True)
    images, labels = sets.train.next_batch(2)
    assert len(images[0]) == 784 and labels[1] == [1] + [0] * 9


def test_older_path(folder):
    from tensorflow.contrib.learn.python.learn.datasets.mnist import read_data_sets
    assert read_data_sets(str(folder), validation_size=1).train.num_examples == 11
