"""tf.CriticalSection: parts of a graph of which only one runs at a time."""

from rill import _nest, _rill
from rill._tensor_array import TensorArray

_SECTIONS = "critical_sections"


class CriticalSection(_rill.CriticalSection):
    """What is executed in it runs while nothing else of it does, in whatever step."""

    def __init__(self, name=None, shared_name=None, critical_section_def=None, import_scope=None):
        if critical_section_def and name is not None:
            raise ValueError("critical_section_def and shared_name are mutually exclusive.")
        if critical_section_def:
            raise ValueError("critical_section_def is not yet supported.")
        super().__init__(name, shared_name)
        _rill.get_default_graph().add_to_collection(_SECTIONS, self)

    def execute(self, fn, exclusive_resource_access=True, name=None):
        """What `fn` returns, once all that it makes has run alone."""
        structure = None

        def body():
            nonlocal structure
            structure = fn()
            return [_rill.convert_to_tensor(leaf.flow if isinstance(leaf, TensorArray) else leaf)
                    for leaf in _nest.flatten(structure)]

        tensors = self._execute(body, exclusive_resource_access, name)
        leaves = [leaf._with_flow(tensor) if isinstance(leaf, TensorArray) else tensor
                  for leaf, tensor in zip(_nest.flatten(structure), tensors)]
        return _nest.pack_sequence_as(structure, leaves)
