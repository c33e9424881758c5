"""tf.contrib.slim's data: where records are, who reads them, and queues of what was read."""

import abc
import collections

import rill
from rill import gfile, train


def get_data_files(data_sources):
    """The files that a pattern, or a list of such, stands for."""
    if isinstance(data_sources, (list, tuple)):
        return [file for source in data_sources for file in get_data_files(source)]
    files = gfile.Glob(data_sources) if set(data_sources) & set("*?[") else [data_sources]
    if not files:
        raise ValueError(f"No data files found in {data_sources}")
    return files


class Dataset:
    """What is known of a dataset: sources, reader, decoder, size, and whatever else a program adds."""

    def __init__(self, data_sources, reader, decoder, num_samples, items_to_descriptions, **kwargs):
        vars(self).update(kwargs, data_sources=data_sources, reader=reader, decoder=decoder, num_samples=num_samples,
                          items_to_descriptions=items_to_descriptions)


class DataDecoder(abc.ABC):
    """Makes tensors of a record."""

    @abc.abstractmethod
    def decode(self, data, items):
        """The tensors of items."""

    @abc.abstractmethod
    def list_items(self):
        """What there is."""


class DataProvider(abc.ABC):  # noqa: B024
    """Gives tensors by their names."""

    def __init__(self, items_to_tensors, num_samples):
        self._items_to_tensors, self._num_samples = items_to_tensors, num_samples

    def get(self, items):
        """The tensors of names."""
        self._validate_items(items)
        return [self._items_to_tensors[item] for item in items]

    def list_items(self):
        """The names."""
        return list(self._items_to_tensors)

    def num_samples(self):
        """How many examples there are."""
        return self._num_samples

    def _validate_items(self, items):
        if not isinstance(items, (list, tuple)):
            raise ValueError("items must be a list or tuple")
        for item in items:
            if item not in self._items_to_tensors:
                raise ValueError(f"Item [{item}] is invalid. Valid entries include: {self.list_items()}")


class ParallelReader:
    """Several readers of one queue of files that fill another queue with records."""

    def __init__(self, reader_class, common_queue, num_readers=4, reader_kwargs=None):
        if len(common_queue.dtypes) != 2 or any(not t.is_compatible_with(rill.string) for t in common_queue.dtypes):
            raise TypeError("common_queue must hold two strings: a key and a record")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def common_queue(self):
        return self._common_queue

    def _configure_readers_by(self, queue):
        enqueues = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        train.add_queue_runner(train.QueueRunner(
            self._common_queue, enqueues, queue_closed_exception_types=(rill.errors.OutOfRangeError,
                                                                        rill.errors.CancelledError)))

    def read(self, queue, name=None):
        """The next key and record."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue, num_records, name=None):
        """Several at once."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def num_records_produced(self, name=None):
        """How many records were read."""
        return rill.add_n([reader.num_records_produced() for reader in self._readers], name)

    def num_work_units_completed(self, name=None):
        """How many files were read."""
        return rill.add_n([reader.num_work_units_completed() for reader in self._readers], name)


def parallel_read(data_sources, reader_class, num_epochs=None, num_readers=4, reader_kwargs=None, shuffle=True,
                  dtypes=None, capacity=256, min_after_dequeue=128, seed=None, scope=None):
    """The next key and record of files that several readers read."""
    files = get_data_files(data_sources)
    with rill.name_scope(scope or "parallel_read"):
        names = train.string_input_producer(files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames")
        types = dtypes or [rill.string, rill.string]
        if shuffle:
            queue = rill.RandomShuffleQueue(capacity, min_after_dequeue, types, seed=seed, name="common_queue")
        else:
            queue = rill.FIFOQueue(capacity, types, name="common_queue")
        fullness = rill.cast(queue.size(), rill.float32) * (1.0 / capacity)
        rill.summary.scalar(f"fraction_of_{capacity}_full", fullness)
        return ParallelReader(reader_class, queue, num_readers, reader_kwargs).read(names)


def single_pass_read(data_sources, reader_class, reader_kwargs=None, scope=None):
    """The next key and record of files that are read once, in their order."""
    files = get_data_files(data_sources)
    with rill.name_scope(scope or "single_pass_read"):
        names = train.string_input_producer(files, num_epochs=1, shuffle=False, capacity=1, name="filenames")
        return reader_class(**(reader_kwargs or {})).read(names)


def prefetch_queue(tensors, capacity=8, num_threads=1, dynamic_pad=False, shared_name=None, name=None):
    """A queue that threads keep full of the values of tensors."""
    is_dict = isinstance(tensors, dict)
    keys = sorted(tensors) if is_dict else range(len(tensors))
    flat = [rill.convert_to_tensor(tensors[key]) for key in keys]
    with rill.name_scope(name or "prefetch_queue"):
        make = rill.PaddingFIFOQueue if dynamic_pad else rill.FIFOQueue
        shapes = [tensor.get_shape() for tensor in flat]
        known = dynamic_pad or all(shape.is_fully_defined() for shape in shapes)
        queue = make(capacity, dtypes=[tensor.dtype for tensor in flat], shapes=shapes if known else None,
                     names=list(keys) if is_dict else None, shared_name=shared_name)
        values = dict(zip(keys, flat, strict=True)) if is_dict else flat
        train.add_queue_runner(train.QueueRunner(queue, [queue.enqueue(values)] * num_threads))
        rill.summary.scalar(f"fraction_of_{capacity}_full", rill.cast(queue.size(), rill.float32) * (1.0 / capacity))
        return queue


class DatasetDataProvider(DataProvider):
    """Gives the items of a Dataset's records."""

    def __init__(self, dataset, num_readers=1, reader_kwargs=None, shuffle=True, num_epochs=None,
                 common_queue_capacity=256, common_queue_min=128, record_key="record_key", seed=None, scope=None):
        key, data = parallel_read(
            dataset.data_sources, dataset.reader, num_epochs, num_readers, reader_kwargs, shuffle,
            capacity=common_queue_capacity, min_after_dequeue=common_queue_min, seed=seed, scope=scope)
        items = dataset.decoder.list_items()
        found = collections.OrderedDict(zip(items, dataset.decoder.decode(data, items), strict=True))
        if record_key in found:
            raise ValueError(f"The item name used for `record_key` cannot also be used for a dataset item: {record_key}")
        found[record_key] = key
        super().__init__(found, dataset.num_samples)
