"""Whole pipelines for files of examples and of comma-separated values."""

import collections

from rill import _rill
from rill.data import _readers
from rill.data import _transformations as _apply
from rill.data._dataset import AUTOTUNE, Dataset
from rill.dtypes import string


def _patterns(file_pattern):
    patterns = list(file_pattern) if isinstance(file_pattern, (list, tuple)) else [file_pattern]
    return [pattern.decode() if isinstance(pattern, bytes) else str(pattern) for pattern in patterns]


def _file_names(file_pattern):
    return _rill.functions.data_file_names(_patterns(file_pattern))


def _shuffled_and_repeated(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed):
    if num_epochs != 1 and shuffle:
        return dataset.apply(_apply.shuffle_and_repeat(shuffle_buffer_size, num_epochs, shuffle_seed))
    if shuffle:
        return dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    return dataset if num_epochs == 1 else dataset.repeat(num_epochs)


def _columns(files, column_names, select_columns, field_delim, use_quote_delim, header, packed):
    """The names of all columns, and the positions of the chosen ones."""
    if column_names is None:
        if not header:
            raise ValueError("Cannot infer column names without a header line.")
        column_names = _rill.functions.data_csv_column_names(files, field_delim, use_quote_delim, packed)
    if len(column_names) != len(set(column_names)):
        raise ValueError("Cannot have duplicate column names.")
    if select_columns is None:
        return list(column_names), None
    by_name = {name: i for i, name in enumerate(column_names)}
    positions = []
    for column in select_columns:
        if isinstance(column, str):
            if column not in by_name:
                raise ValueError(f"Value '{column}' for column not in column names.")
            column = by_name[column]
        elif not 0 <= column < len(column_names):
            raise ValueError(f"Column index {column} specified in select_columns out of valid range.")
        positions.append(column)
    if len(positions) != len(set(positions)):
        raise ValueError("select_columns contains duplicate columns")
    return list(column_names), sorted(positions)


def make_csv_dataset(file_pattern, batch_size, column_names=None, column_defaults=None, label_name=None,
                     select_columns=None, field_delim=",", use_quote_delim=True, na_value="", header=True,
                     num_epochs=None, shuffle=True, shuffle_buffer_size=10000, shuffle_seed=None,
                     prefetch_buffer_size=None, num_parallel_reads=None, sloppy=False, num_rows_for_inference=100,
                     compression_type=None, ignore_errors=False):
    """Batches of the lines of CSV files as dicts by column name, with the label beside them if there is one."""
    files = _file_names(file_pattern)
    dataset = Dataset.from_tensor_slices(files)
    if shuffle:
        dataset = dataset.shuffle(len(files), shuffle_seed)
    packed = "" if compression_type is None else compression_type
    column_names, positions = _columns(files, column_names, select_columns, field_delim, use_quote_delim, header,
                                       packed)
    if column_defaults is None:
        types = _rill.functions.data_csv_column_types(files, len(column_names), field_delim, use_quote_delim,
                                                      na_value, header, num_rows_for_inference, positions, packed)
        column_defaults = [_rill.convert_to_tensor([""] if t == string else [0], dtype=t) for t in types]
    if positions is not None:
        if len(column_defaults) != len(positions):
            raise ValueError("If specified, column_defaults and select_columns must have same length.")
        if len(column_names) > len(positions):
            column_names = [column_names[i] for i in positions]
    if label_name is not None and label_name not in column_names:
        raise ValueError("`label_name` provided must be one of the columns.")

    def filename_to_dataset(filename):
        lines = _readers.CsvDataset(filename, record_defaults=column_defaults, field_delim=field_delim,
                                    use_quote_delim=use_quote_delim, na_value=na_value, select_cols=positions,
                                    header=header, compression_type=compression_type)
        return lines.apply(_apply.ignore_errors()) if ignore_errors else lines

    def map_fn(*columns):
        features = collections.OrderedDict(zip(column_names, columns))
        if label_name is None:
            return features
        label = features.pop(label_name)
        return features, label

    dataset = dataset.apply(_apply.parallel_interleave(
        filename_to_dataset, cycle_length=1 if num_parallel_reads is None else num_parallel_reads, sloppy=sloppy))
    dataset = _shuffled_and_repeated(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=num_epochs is None)
    dataset = dataset.map(map_fn)
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def make_batched_features_dataset(file_pattern, batch_size, features, reader=_readers.TFRecordDataset, label_key=None,
                                  reader_args=None, num_epochs=None, shuffle=True, shuffle_buffer_size=10000,
                                  shuffle_seed=None, prefetch_buffer_size=None, reader_num_threads=None,
                                  parser_num_threads=None, sloppy_ordering=False, drop_final_batch=False):
    """Batches of what the Examples of files hold, as dicts, with the label beside them if there is one."""
    files = _file_names(file_pattern)
    dataset = Dataset.from_tensor_slices(files)
    if shuffle:
        dataset = dataset.shuffle(len(files), shuffle_seed)
    dataset = dataset.apply(_apply.parallel_interleave(
        lambda filename: reader(filename, *(reader_args or [])), cycle_length=reader_num_threads or 1,
        sloppy=sloppy_ordering))
    if dataset.output_types == (string, string):
        dataset = dataset.map(lambda _, value: value)
    dataset = _shuffled_and_repeated(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    dataset = dataset.apply(_apply.parse_example_dataset(features, num_parallel_calls=parser_num_threads or 2))
    if label_key:
        if label_key not in features:
            raise ValueError(f"The `label_key` provided ({label_key!r}) must be one of the `features` keys.")
        dataset = dataset.map(lambda x: (x, x.pop(label_key)))
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


class TFRecordWriter:
    """Writes the strings of a dataset to a file of records."""

    def __init__(self, filename, compression_type=None):
        self._filename, self._compression_type = filename, compression_type

    def write(self, dataset):
        """An operation that writes all elements of `dataset`."""
        if not hasattr(dataset, "_cpp"):
            raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
        return _rill.functions.data_write_tf_record(dataset._cpp, self._filename, self._compression_type)
