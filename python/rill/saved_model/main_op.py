"""tf.saved_model.main_op: what runs when a model has been loaded."""

from rill import _surface


def main_op():
    """The operation that initialises all variables and tables."""
    from rill import (global_variables_initializer, group, local_variables_initializer,
                      tables_initializer)
    return group(global_variables_initializer(), local_variables_initializer(), tables_initializer())


__getattr__, __dir__ = _surface.members_of(__name__)
