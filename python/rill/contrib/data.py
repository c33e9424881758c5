"""tf.contrib.data: what tf.data.experimental grew out of, and what did not get there."""

from rill import data as _data
from rill.data import experimental as _experimental
from rill.data._files import make_batched_features_dataset as _make_batched_features_dataset
from rill.data._readers import LMDBDataset  # noqa: F401
from rill.data._transformations import assert_element_shape, reduce_dataset, sliding_window_batch  # noqa: F401


def batch_and_drop_remainder(batch_size):
    """batch that leaves out a last batch that is not full."""
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(batch_size, padded_shapes, padding_values=None):
    """padded_batch that leaves out a last batch that is not full."""
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values, drop_remainder=True)


def read_batch_features(file_pattern, batch_size, features, reader=_data.TFRecordDataset, reader_args=None,
                        randomize_input=True, num_epochs=None, capacity=10000):
    """Batches of what the Examples of files hold, as dicts of tensors."""
    dataset = _make_batched_features_dataset(file_pattern, batch_size, features, reader=reader,
                                             reader_args=reader_args, shuffle=randomize_input, num_epochs=num_epochs,
                                             shuffle_buffer_size=capacity)
    return dataset.make_one_shot_iterator().get_next()


def __getattr__(name):
    for module in (_experimental, _data):
        try:
            return getattr(module, name)
        except AttributeError:
            continue
    raise AttributeError(f"module 'tensorflow.contrib.data' has no attribute '{name}'")


def __dir__():
    return sorted({*globals(), *dir(_experimental), *dir(_data)})
