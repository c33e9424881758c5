"""How objects of C++ that say all in a few values are pickled and copied."""

import copyreg

from rill._rill import DeviceSpec, Dimension


def _dimension(dimension):
    return Dimension, (dimension.value,)


def _device(device):
    return DeviceSpec, (device.job, device.replica, device.task, device.device_type, device.device_index)


copyreg.pickle(Dimension, _dimension)
copyreg.pickle(DeviceSpec, _device)
