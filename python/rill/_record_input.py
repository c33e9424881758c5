"""RecordInput of tensorflow.python.ops.data_flow_ops: records of files, shuffled, without a queue."""

from rill import raw_ops
from rill._records import TFRecordOptions


class RecordInput:
    """Yields records of the files of a pattern, for ever, in an order of its own each time."""

    def __init__(self, file_pattern, batch_size=1, buffer_size=1, parallelism=1, shift_ratio=0, seed=0, name=None,
                 batches=None, compression_type=None):
        self._batches, self._name = batches, name or "record_input"
        self._arguments = {
            "file_pattern": file_pattern, "batch_size": batch_size * (1 if batches is None else batches),
            "file_buffer_size": buffer_size, "file_parallelism": parallelism,
            "file_shuffle_shift_ratio": shift_ratio, "file_random_seed": seed,
            "compression_type": TFRecordOptions.get_compression_type_string(compression_type)}

    def get_yield_op(self):
        """A vector of records; with `batches` so many lists of scalars, filled in turn."""
        records = raw_ops.RecordInput(**self._arguments, name=self._name)
        if self._batches is None:
            return records
        parts = raw_ops.Split(axis=0, value=records, num_split=self._arguments["batch_size"])
        scalars = [raw_ops.Reshape(tensor=part, shape=()) for part in parts]
        return [scalars[first::self._batches] for first in range(self._batches)]
