"""tf.config.optimizer: which passes rewrite graphs."""

from rill import _rill, _surface


def get_jit():
    """Whether just-in-time compilation was asked for."""
    return _rill.config.get_optimizer_jit()


def set_jit(enabled):
    """Asks for just-in-time compilation."""
    _rill.config.set_optimizer_jit(bool(enabled))


def get_experimental_options():
    """The passes that were switched on or off, by name."""
    return _rill.config.get_optimizer_experimental_options()


def set_experimental_options(options):
    """Switches passes on or off, by name."""
    _rill.config.set_optimizer_experimental_options({name: bool(value) for name, value in options.items()})


__getattr__, __dir__ = _surface.members_of(__name__)
