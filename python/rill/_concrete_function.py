"""Functions of the graph for one signature."""

from rill import _nest, _rill, _trace_values, errors
from rill._type_spec import TensorSpec


class ConcreteFunction:
    """A function of the graph that takes tensors of the types and shapes that it was built for."""

    def __init__(self, core, arguments, results, made_variables, owner):
        self._core, self._arguments, self._results = core, arguments, results
        self._pack = _trace_values.packer(results)
        self.made_variables = made_variables
        self._owner_signature = owner._signature if owner is not None else None
        self._names = []
        arguments.replaced(lambda _, name: self._names.append(name))

    def _call_flat(self, tensors):
        results = self._core.call(tensors)
        return results[0] if self._pack is None else self._pack(results)

    def __call__(self, *args, **kwargs):
        leaves = [leaf for leaf in _nest.flatten(list(args)) if leaf is not None]
        tensors = [_rill.convert_to_tensor(value, dtype=spec.dtype)
                   for value, spec in zip(leaves, self._arguments.specs) if _is_value(value)]
        for name, spec in list(zip(self._names, self._arguments.specs))[len(tensors):]:
            if name not in kwargs:
                break
            tensors.append(_rill.convert_to_tensor(kwargs.pop(name), dtype=spec.dtype))
        specs = self._arguments.specs
        if len(tensors) != len(specs) or len(leaves) > len(specs) or kwargs:
            raise TypeError(f"ConcreteFunction {self.pretty_printed_signature(False)} was expected to be passed "
                            f"{len(specs)} arguments, but got {len(leaves) + len(kwargs)}.")
        for name, tensor, spec in zip(self._names, tensors, specs):
            if not tensor.shape.is_compatible_with(spec.shape):
                raise errors.InvalidArgumentError(
                    None, None, f"Tensor {name} has shape {tensor.shape}, which does not fit {spec.shape}")
        return self._call_flat(tensors)

    @property
    def name(self):
        """The function's name in the graph."""
        return self._core.name

    @property
    def graph(self):
        """The graph of the body."""
        return self._core.graph

    @property
    def inputs(self):
        """The arguments in the body, captured ones at the end."""
        return self._core.inputs

    @property
    def outputs(self):
        """The results in the body."""
        return self._core.outputs

    @property
    def captured_inputs(self):
        """The tensors from outside that calls pass on."""
        return self._core.captured

    @property
    def variables(self):
        """The variables that it uses."""
        return tuple(self._core.variables)

    @property
    def trainable_variables(self):
        """Those of them that are trained."""
        return tuple(v for v in self._core.variables if v.trainable)

    @property
    def function_def(self):
        """The FunctionDef."""
        return self._core.definition

    @property
    def structured_input_signature(self):
        """What describes the arguments."""
        return self._arguments.replaced(
            lambda spec, name: TensorSpec(spec.shape, spec.dtype, name=spec.name or name))

    @property
    def structured_outputs(self):
        """The results with what describes them in the place of tensors."""
        return _nest.map_structure(
            lambda leaf: TensorSpec(leaf.shape, leaf.dtype) if isinstance(leaf, _rill.Tensor) else leaf,
            self._results)

    @property
    def output_dtypes(self):
        """The types of the results."""
        return _nest.map_structure(lambda leaf: None if leaf is None else leaf.dtype, self._results)

    @property
    def output_shapes(self):
        """What is known of the shapes of the results."""
        return _nest.map_structure(lambda leaf: None if leaf is None else leaf.shape, self._results)

    def add_to_graph(self, g=None):
        """Functions become known to a graph when they are called in it."""

    def pretty_printed_signature(self, verbose=True):
        """The signature as a program has it."""
        args, kwargs = self._arguments.replaced(lambda spec, name: spec)
        parts = [f"{name}" for name in (self._parameter_names() or map(str, range(len(args))))]
        head = f"{self._base_name()}({', '.join(parts)})"
        if not verbose:
            return head
        lines = [head, "  Args:"] + [f"    {name}: {value}" for name, value in zip(parts, args)]
        return "\n".join([*lines, "  Returns:", f"    {self.structured_outputs}"])

    def _parameter_names(self):
        return list(self._owner_signature.parameters) if self._owner_signature is not None else []

    def _base_name(self):
        return self.name.removeprefix("__inference_").rpartition("_")[0]

    def __repr__(self):
        return f"<ConcreteFunction {self.pretty_printed_signature(False)} at 0x{id(self):X}>"


def _is_value(value):
    return not isinstance(value, TensorSpec)


def trace(python_function, name, call, may_make_variables, owner=None):
    """Builds the function for the arguments of a call."""
    if owner is not None:
        call = call.named([parameter.name for parameter in owner._signature.parameters.values()
                           if parameter.kind is not parameter.VAR_POSITIONAL])
    core = _rill.FunctionTrace(name, may_make_variables)
    known = iter(call.tensors() if may_make_variables else ())
    with core.graph.as_default():
        args, kwargs = call.replaced(
            lambda spec, arg_name: core.add_argument(spec.dtype, spec.shape, _node_name(spec.name or arg_name),
                                                     next(known, None)))
        returned = python_function(*args, **kwargs)
        tensors, results = _trace_values.flat_results(returned)
    made = core.new_variables
    return ConcreteFunction(core.finish(tensors), call, results, made > 0, owner)


def _node_name(name):
    plain = "".join(c if c.isalnum() or c in "_." else "_" for c in name)
    return plain if plain[:1].isalnum() else "arg" + plain
