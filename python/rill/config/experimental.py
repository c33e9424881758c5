"""tf.config.experimental: which devices there are, and how they are used."""

import collections

from rill import _rill, _surface

PhysicalDevice = collections.namedtuple("PhysicalDevice", ["name", "device_type"])
LogicalDevice = collections.namedtuple("LogicalDevice", ["name", "device_type"])


class VirtualDeviceConfiguration(collections.namedtuple("VirtualDeviceConfiguration", ["memory_limit"])):
    """One of the logical devices that a physical one is cut into."""

    def __new__(cls, memory_limit=None):
        return super().__new__(cls, memory_limit)


def _devices(kind, pairs):
    return [kind(*pair) for pair in pairs]


def list_physical_devices(device_type=None):
    """The devices of the machine."""
    return _devices(PhysicalDevice, _rill.config.list_physical_devices(device_type or ""))


def list_logical_devices(device_type=None):
    """The devices as programs see them."""
    return _devices(LogicalDevice, _rill.config.list_logical_devices(device_type or ""))


def get_visible_devices(device_type=None):
    """The devices of the machine that are used."""
    return _devices(PhysicalDevice, _rill.config.get_visible_devices(device_type or ""))


def set_visible_devices(devices, device_type=None):
    """Sets which devices of the machine are used."""
    if not isinstance(devices, (list, set)) or isinstance(devices, tuple):
        devices = [devices] if devices else []
    _rill.config.set_visible_devices(list(devices), device_type or "")


def get_virtual_device_configuration(device):
    """What a device was cut into, or None."""
    limits = _rill.config.get_virtual_device_configuration(device)
    return None if limits is None else [VirtualDeviceConfiguration(limit) for limit in limits]


def set_virtual_device_configuration(device, virtual_devices):
    """Cuts a device into several."""
    _rill.config.set_virtual_device_configuration(device, [part.memory_limit for part in virtual_devices])


def get_memory_growth(device):
    """Whether a GPU takes memory as it is needed."""
    growth = _rill.config.get_memory_growth(device)
    if growth is None:
        raise KeyError(device)
    return growth


def set_memory_growth(device, enable):
    """Lets a GPU take memory as it is needed."""
    _rill.config.set_memory_growth(device, bool(enable))


def get_device_policy():
    """What happens to tensors that are on another device than the op."""
    return _rill.config.get_device_policy()


def set_device_policy(device_policy):
    """silent, silent_for_int32, warn or explicit; None is silent."""
    _rill.config.set_device_policy("silent" if device_policy is None else device_policy)


def get_synchronous_execution():
    """Whether eager operations are over when their functions return."""
    return _rill.config.get_synchronous_execution()


def set_synchronous_execution(enable):
    """Sets whether eager operations are over when their functions return; None is true."""
    _rill.config.set_synchronous_execution(enable is None or bool(enable))


__getattr__, __dir__ = _surface.members_of(__name__)
