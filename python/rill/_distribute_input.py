"""The input of strategies: iterators and datasets that give each replica its part."""

from rill import _rill
from rill._distribute_values import regroup


def input_context(strategy):
    """What an input function of this process needs to know."""
    from rill._distribute import InputContext
    core = strategy._core
    return InputContext(num_input_pipelines=core.num_replicas_in_sync // core.local_replicas,
                        input_pipeline_id=core.first_replica // core.local_replicas,
                        num_replicas_in_sync=core.num_replicas_in_sync)


def rebatched(strategy, dataset):
    """The dataset with each batch cut into a part for each replica."""
    if strategy.num_replicas_in_sync == 1:
        return dataset
    return dataset._next(_rill.rebatched_dataset(dataset._cpp, strategy.num_replicas_in_sync))


class InputIterator:
    """Gives each replica an element in every step that asks."""

    def __init__(self, strategy, dataset):
        from rill.data._multi_device import MultiDeviceIterator
        self._devices = strategy.extended.worker_devices
        source = _rill.full_device("/device:CPU:0", self._devices[0])
        self._iterator = MultiDeviceIterator(dataset, self._devices, source_device=source)

    def get_next(self):
        """The elements of all replicas as one value."""
        return regroup(self._iterator.get_next(), self._devices)

    def initialize(self):
        """The operation that makes it begin at the first element."""
        import rill
        return rill.group(self._iterator.initializer)

    @property
    def initializer(self):
        """The same as one operation."""
        return self._iterator.initializer

    @property
    def output_classes(self):
        """The classes of what an element is made of."""
        from rill.data import _dataset
        return _dataset.get_legacy_output_classes(self._iterator._dataset)

    @property
    def output_shapes(self):
        """The shapes of what an element is made of."""
        from rill.data import _dataset
        return _dataset.get_legacy_output_shapes(self._iterator._dataset)

    @property
    def output_types(self):
        """The types of what an element is made of."""
        from rill.data import _dataset
        return _dataset.get_legacy_output_types(self._iterator._dataset)


class DatasetIterator(InputIterator):
    """Over a dataset whose elements are batches for all replicas together."""

    def __init__(self, strategy, dataset):
        super().__init__(strategy, rebatched(strategy, dataset))


class InputFunctionIterator(InputIterator):
    """Over what an input function makes."""

    def __init__(self, strategy, input_fn):
        made = input_fn(input_context(strategy))
        if not hasattr(made, "_cpp"):
            raise ValueError("input_fn must return a tf.data.Dataset or a callable.")
        super().__init__(strategy, made)


class DistributedDataset:
    """What programs loop over, eagerly, or make an iterator of."""

    def __init__(self, strategy, dataset, rebatch):
        self._strategy = strategy
        self._dataset = rebatched(strategy, dataset) if rebatch else dataset

    def make_initializable_iterator(self):
        """An iterator of a graph."""
        return InputIterator(self._strategy, self._dataset)

    def make_one_shot_iterator(self):
        """One that begins by itself."""
        iterator = self.make_initializable_iterator()
        import rill
        rill.add_to_collection(rill.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
        return iterator

    def __iter__(self):
        if not _rill.executing_eagerly():
            raise RuntimeError("__iter__() is only supported inside of tf.function or when eager execution is "
                               "enabled.")
        devices, elements = self._strategy.extended.worker_devices, iter(self._dataset)
        while True:
            parts = []
            for element in elements:
                parts.append(element)
                if len(parts) == len(devices):
                    break
            if len(parts) < len(devices):
                return
            yield regroup(parts, devices)
