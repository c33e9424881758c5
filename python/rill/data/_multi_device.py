"""MultiDeviceIterator: deals the elements of a dataset out to devices."""

from rill import _rill
from rill.data import _structure


class MultiDeviceIterator:
    """The first device gets the first element, the second one the second, and so on in turn."""

    def __init__(self, dataset, devices, max_buffer_size=1, prefetch_buffer_size=1, source_device="/cpu:0"):
        self._dataset, self._devices = dataset, list(devices)
        self._iterator = _rill.MultiDeviceIterator(dataset._cpp, self._devices, max_buffer_size,
                                                   prefetch_buffer_size, source_device)

    def get_next(self, device=None):
        """The next element of `device`, or a list of those of all devices."""
        if device is not None:
            return _structure.pack(self.element_spec, self._iterator.get_next_on(str(device)))
        return [_structure.pack(self.element_spec, self._iterator.get_next(i)) for i in range(len(self._devices))]

    @property
    def initializer(self):
        """The operation that makes all devices begin at the first element."""
        return self._iterator.initializer

    @property
    def element_spec(self):
        """What describes the elements."""
        return self._dataset.element_spec
