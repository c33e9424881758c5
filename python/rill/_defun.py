"""Functions of a graph: Defun makes one from a Python function."""

import inspect

from rill import _rill


def _flat(results):
    if results is None or isinstance(results, _rill.Operation):
        return []
    if isinstance(results, (list, tuple)):
        return list(results)
    return [results]


def _argument_names(func, count):
    """Names of the parameters; *args are numbered."""
    names = []
    for parameter in inspect.signature(func).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            break
        names.append(parameter.name)
    return (names + [f"arg{i}" for i in range(len(names), count)])[:count]


def _base_name(func):
    name = getattr(func, "__name__", type(func).__name__)
    return "_lambda_" if name == "<lambda>" else name


class _DefinedFunction:
    """A function with its argument types known. Defined when it is first needed."""

    def __init__(self, func, argtypes, func_name=None, grad_func=None, python_grad_func=None,
                 out_names=None, shape_func=None, capture_by_value=False,
                 whitelisted_stateful_ops=None, capture_resource_var_by_value=True, **flags):
        self.__doc__ = func.__doc__
        self._by_value = capture_by_value
        self._func = func
        self._argtypes = tuple(argtypes)
        self._func_name = func_name
        self._grad_func = grad_func
        self._python_grad_func = python_grad_func
        self._out_names = list(out_names or [])
        self._shape_func = shape_func
        self._flags = {key: value for key, value in flags.items() if value is not None}
        self._function = None
        self._captured = []

    def _define(self):
        if self._function is not None:
            return
        builder = _rill.FunctionBuilder(_rill.get_default_graph(), self._by_value)
        names = _argument_names(self._func, len(self._argtypes))
        arguments = [builder.add_argument(dtype, name)
                     for dtype, name in zip(self._argtypes, names)]
        with builder.graph.as_default():
            results = [_rill.convert_to_tensor(result)
                       for result in _flat(self._func(*arguments))]
        if self._out_names and len(self._out_names) != len(results):
            raise ValueError(
                "output names must be either empty or equal in size to outputs. output names "
                f"size = {len(self._out_names)} outputs size = {len(results)}")
        base_name = _base_name(self._func)
        if self._grad_func is not None:
            base_name += "_" + self._grad_func.name
        self._function = builder.finish(results, self._func_name or "", base_name,
                                        self._out_names, self._flags)
        self._captured = builder.captured

    @property
    def name(self):
        self._define()
        return self._function.name

    @property
    def definition(self):
        """The FunctionDef."""
        self._define()
        return self._function.definition

    @property
    def captured_inputs(self):
        """Tensors of the graph around that the body reads, in the order of the extra arguments."""
        self._define()
        return self._captured

    @property
    def declared_input_types(self):
        return self._argtypes

    @property
    def stateful_ops(self):
        """Pairs of name and type of the stateful operations of the body."""
        self._define()
        return self._function.stateful_ops(_rill.get_default_graph())

    @property
    def grad_func_name(self):
        return self._grad_func.name if self._grad_func is not None else None

    @property
    def python_grad_func(self):
        return self._python_grad_func

    def set_grad_func(self, grad_func):
        """Says which function computes the gradient."""
        assert not self._grad_func
        self._grad_func = grad_func

    def add_to_graph(self, g):
        """Makes the function known to `g`, with its gradient and what it calls."""
        with g.as_default():
            self._define()
        if self._grad_func is not None:
            self._grad_func.add_to_graph(g)
        self._function.add_to_graph(g, self.grad_func_name or "")
        if self._python_grad_func is not None:
            _rill.set_python_gradient(g, self.name, self._python_grad_func)

    def __call__(self, *args, **kwargs):
        self.add_to_graph(_rill.get_default_graph())
        name = kwargs.pop("name", None)
        if kwargs:
            raise ValueError(f"Unknown keyword arguments: {', '.join(kwargs)}.")
        op = _rill.call_function(self.name, [*args, *self._captured], name)
        if self._shape_func is not None:
            for tensor, shape in zip(op.outputs, self._shape_func(op)):
                tensor.set_shape(shape)
        if len(op.outputs) == 1:
            return op.outputs[0]
        return tuple(op.outputs) if op.outputs else op


class _OverloadedFunction:
    """A function whose argument types the calls tell; one definition for each list of types."""

    def __init__(self, func, **options):
        self.__doc__ = func.__doc__
        self._func = func
        self._options = options
        self._defined = {}

    def instantiate(self, input_types):
        """The definition for these argument types."""
        key = tuple(dtype.as_datatype_enum for dtype in input_types)
        if key not in self._defined:
            options = dict(self._options)
            if options.get("func_name"):
                options["func_name"] += "_" + "_".join(dtype.name for dtype in input_types)
            self._defined[key] = _DefinedFunction(self._func, input_types, **options)
        return self._defined[key]

    def __call__(self, *args, **kwargs):
        args = [_rill.convert_to_tensor(arg) for arg in args]
        types = [arg.dtype.base_dtype for arg in args]
        return self.instantiate(types)(*args, **kwargs)


class Defun:
    """Decorator that makes a function of the graph from a Python function.

    ```
    @Defun(tf.float32, tf.float32)
    def plus(x, y):
        return x + y
    ```
    Without types, each call's arguments tell them. Options: func_name, grad_func (a Defun that
    computes the gradients), python_grad_func, out_names, shape_func, noinline.
    """

    def __init__(self, *input_types, **kwargs):
        self._input_types = [_rill.as_dtype(t) for t in input_types]
        self._options = kwargs

    def __call__(self, func):
        if not callable(func):
            raise ValueError(f"Function {func} must be a callable.")
        parameters = inspect.signature(func).parameters.values()
        if any(p.default is not p.empty or p.kind is p.VAR_KEYWORD for p in parameters):
            raise ValueError("Functions with argument defaults or keywords arguments are not "
                             f"supported. {func} has defaults or keywords.")
        fixed = sum(p.kind is not p.VAR_POSITIONAL for p in parameters)
        takes_any = any(p.kind is p.VAR_POSITIONAL for p in parameters)
        given = len(self._input_types)
        if not given and (fixed or takes_any):
            return _OverloadedFunction(func, **self._options)
        if given < fixed or (given > fixed and not takes_any):
            what = "more" if given < fixed else "fewer"
            raise ValueError(f"The function has {what} arguments than the number of specified "
                             f"input types. {func} has {fixed}, {given} types are specified.")
        return _DefinedFunction(func, self._input_types, **self._options)
