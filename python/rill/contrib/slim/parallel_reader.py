"""tf.contrib.slim.parallel_reader: several readers that fill one queue of records."""

from rill import ReaderBase


class ParallelReader(ReaderBase):
    """Readers of the same kind whose records meet in a queue of pairs of strings."""

    def __init__(self, reader_class, common_queue, num_readers=4, reader_kwargs=None):
        from rill import string
        if len(common_queue.dtypes) != 2 or any(not dtype.is_compatible_with(string)
                                                for dtype in common_queue.dtypes):
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self):
        """How many readers there are."""
        return len(self._readers)

    @property
    def common_queue(self):
        """The queue of records."""
        return self._common_queue

    def read(self, queue, name=None):
        """The next record of any reader: its key and its value."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue, num_records, name=None):
        """Up to so many records."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _configure_readers_by(self, queue):
        from rill import train
        enqueues = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        train.add_queue_runner(train.QueueRunner(self._common_queue, enqueues))

    def num_records_produced(self, name=None):
        """How many records the readers have made."""
        from rill import add_n
        return add_n([reader.num_records_produced() for reader in self._readers], name=name)

    def num_work_units_completed(self, name=None):
        """How many files the readers have finished."""
        from rill import add_n
        return add_n([reader.num_work_units_completed() for reader in self._readers], name=name)


def parallel_read(data_sources, reader_class, num_epochs=None, num_readers=4, reader_kwargs=None,
                  shuffle=True, dtypes=None, capacity=256, min_after_dequeue=128, seed=None, scope=None):
    """A record of the files: its key and its value."""
    from rill import FIFOQueue, RandomShuffleQueue, cast, float32, name_scope, string, summary, train
    files = get_data_files(data_sources)
    dtypes = dtypes or [string, string]
    with name_scope(scope, "parallel_read"):
        names = train.string_input_producer(files, num_epochs=num_epochs, shuffle=shuffle, seed=seed,
                                            name="filenames")
        if shuffle:
            queue = RandomShuffleQueue(capacity=capacity, min_after_dequeue=min_after_dequeue,
                                       dtypes=dtypes, seed=seed, name="common_queue")
        else:
            queue = FIFOQueue(capacity=capacity, dtypes=dtypes, name="common_queue")
        summary.scalar(f"fraction_of_{capacity}_full", cast(queue.size(), float32) * (1.0 / capacity))
        reader = ParallelReader(reader_class, queue, num_readers=num_readers, reader_kwargs=reader_kwargs)
        return reader.read(names)


def single_pass_read(data_sources, reader_class, reader_kwargs=None, scope=None):
    """The records of the files in their order, each once."""
    from rill import name_scope, train
    files = get_data_files(data_sources)
    with name_scope(scope, "single_pass_read"):
        names = train.string_input_producer(files, num_epochs=1, shuffle=False, capacity=1,
                                            name="filenames")
        return reader_class(**(reader_kwargs or {})).read(names)


def get_data_files(data_sources):
    """The files of a name, a pattern, or a list of such."""
    from rill import gfile
    if isinstance(data_sources, (list, tuple)):
        files = [file for source in data_sources for file in get_data_files(source)]
    else:
        files = gfile.Glob(data_sources) if any(c in data_sources for c in "*?[") else [data_sources]
    if not files:
        raise ValueError(f"No data files found in {data_sources}")
    return files
