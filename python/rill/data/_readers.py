"""Datasets of what files hold."""

from rill._rill import functions
from rill.data import _structure
from rill.data._dataset import DatasetV1Adapter, DatasetV2


def _names(filenames):
    return filenames._cpp if isinstance(filenames, DatasetV2) else filenames


def _inputs_of(filenames):
    return [filenames] if isinstance(filenames, DatasetV2) else []


class _Reader(DatasetV1Adapter):
    """A dataset that C++ makes of its arguments."""

    def _make(self, function, *args, inputs=(), form=None):
        made = function(*args)
        if form is not None:
            made = made.with_element((made.element[0], _structure.form_of(form)))
        self._take(made, list(inputs))


class TFRecordDataset(_Reader):
    """The records of TFRecord files."""

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        self._make(functions.data_tf_record, _names(filenames), compression_type, buffer_size, num_parallel_reads,
                   inputs=_inputs_of(filenames))


class TextLineDataset(_Reader):
    """The lines of text files, without their ends."""

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        self._make(functions.data_text_line, _names(filenames), compression_type, buffer_size, num_parallel_reads,
                   inputs=_inputs_of(filenames))


class FixedLengthRecordDataset(_Reader):
    """Records of `record_bytes` bytes each, after a header and before a footer."""

    def __init__(self, filenames, record_bytes, header_bytes=None, footer_bytes=None, buffer_size=None,
                 compression_type=None, num_parallel_reads=None):
        self._make(functions.data_fixed_length_record, _names(filenames), record_bytes, header_bytes, footer_bytes,
                   buffer_size, compression_type, num_parallel_reads, inputs=_inputs_of(filenames))


class CsvDataset(_Reader):
    """The lines of CSV files as tuples; `record_defaults` has a type or a default for each field."""

    def __init__(self, filenames, record_defaults, compression_type=None, buffer_size=None, header=False,
                 field_delim=",", use_quote_delim=True, na_value="", select_cols=None):
        self._make(functions.data_csv, filenames, list(record_defaults), compression_type, buffer_size, header,
                   field_delim, use_quote_delim, na_value, select_cols, form=tuple(record_defaults))


class SqlDataset(_Reader):
    """The rows that a query of an SQLite database gives, as tuples."""

    def __init__(self, driver_name, data_source_name, query, output_types):
        types = list(output_types) if isinstance(output_types, (list, tuple)) else [output_types]
        self._make(functions.data_sql, driver_name, data_source_name, query, types, form=tuple(types))


class RandomDataset(_Reader):
    """Random int64 numbers without end."""

    def __init__(self, seed=None):
        self._make(functions.data_random, seed)


class LMDBDataset(_Reader):
    """Pairs of key and value of LMDB files."""

    def __init__(self, filenames):
        self._make(functions.data_lmdb, filenames, form=(0, 0))


TFRecordDatasetV1 = TFRecordDatasetV2 = TFRecordDataset
TextLineDatasetV1 = TextLineDatasetV2 = TextLineDataset
FixedLengthRecordDatasetV1 = FixedLengthRecordDatasetV2 = FixedLengthRecordDataset
