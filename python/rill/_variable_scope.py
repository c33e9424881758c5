"""Variable scopes, get_variable and templates: what Python adds to those of C++."""

import contextlib
import enum
import inspect
import types
import weakref

from rill import _rill
from rill.dtypes import float32
from rill._variables import VariableAggregation, VariableSynchronization


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE


class PartitionInfo:
    """Of which larger variable the one to be initialised is a part."""

    def __init__(self, full_shape, var_offset):
        self.full_shape, self.var_offset = full_shape, var_offset

    def single_offset(self, shape):
        """The offset along the dimension that is cut."""
        dimension = self.single_slice_dim(shape)
        return 0 if dimension is None else self.var_offset[dimension]

    def single_slice_dim(self, shape):
        """The dimension that is cut, or None."""
        cut = [i for i, (part, full) in enumerate(zip(shape, self.full_shape)) if part != full]
        if len(cut) > 1:
            raise ValueError(f"Expected at most one sliced dimension, found {cut}")
        return cut[0] if cut else None


_parameters = weakref.WeakKeyDictionary()  # by the function itself: looking them up takes longer than a node


def _parameters_of(function):
    key = function if type(function) is types.FunctionType else type(function).__call__
    known = _parameters.get(key) if type(key) is types.FunctionType else None
    if known is not None:
        return known
    try:
        found = inspect.signature(function).parameters
    except (TypeError, ValueError):
        found = {}
    if type(key) is types.FunctionType:
        _parameters[key] = found
    return found


def call_initializer(initializer, shape, dtype, partition_info):
    """What `initializer` makes for a shape and type."""
    if "partition_info" in _parameters_of(initializer):
        return initializer(list(shape), dtype=dtype, partition_info=partition_info)
    return initializer(list(shape), dtype=dtype)


def takes_no_arguments(function):
    """Whether a function can be called without any."""
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
               for p in _parameters_of(function).values())


class Getter:
    """What a custom getter calls to go on, by get_variable's names of the arguments."""

    def __init__(self, call):
        self._call = call

    def __call__(self, name, shape=None, dtype=None, initializer=None, regularizer=None, reuse=None,
                 trainable=None, collections=None, caching_device=None, partitioner=None,
                 validate_shape=True, use_resource=None, constraint=None,
                 synchronization=VariableSynchronization.AUTO,
                 aggregation=VariableAggregation.NONE, **_):
        return self._call(name, dict(
            shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, reuse=reuse,
            trainable=trainable, collections=collections, caching_device=caching_device,
            partitioner=partitioner, validate_shape=validate_shape, use_resource=use_resource,
            constraint=constraint, synchronization=synchronization, aggregation=aggregation))


def get_variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None,
                 collections=None, caching_device=None, partitioner=None, validate_shape=True,
                 use_resource=None, custom_getter=None, constraint=None,
                 synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE):
    """The variable of that name in the current scope: made, or found, as the scope's reuse says."""
    return _rill.get_variable(name, dict(
        shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
        trainable=trainable, collections=collections, caching_device=caching_device,
        partitioner=partitioner, validate_shape=validate_shape, use_resource=use_resource,
        custom_getter=custom_getter, constraint=constraint, synchronization=synchronization,
        aggregation=aggregation))


def get_local_variable(name, shape=None, dtype=None, initializer=None, regularizer=None,
                       trainable=False, collections=None, caching_device=None, partitioner=None,
                       validate_shape=True, use_resource=None, custom_getter=None, constraint=None,
                       synchronization=VariableSynchronization.AUTO,
                       aggregation=VariableAggregation.NONE):
    """get_variable for one that is neither trained nor saved."""
    collections = list(collections or []) + [_rill.graph_keys.LOCAL_VARIABLES]
    return get_variable(name, shape, dtype, initializer, regularizer, False, collections,
                        caching_device, partitioner, validate_shape, use_resource, custom_getter,
                        constraint, synchronization, aggregation)


class VariableScope(_rill.VariableScopeBase):
    """What get_variable falls back to inside a block, and the prefix of the names."""

    def __init__(self, reuse, name="", initializer=None, regularizer=None, caching_device=None,
                 partitioner=None, custom_getter=None, name_scope="", dtype=None,
                 use_resource=None, constraint=None):
        super().__init__(
            dict(reuse=reuse, initializer=initializer, regularizer=regularizer,
                 caching_device=caching_device, partitioner=partitioner,
                 custom_getter=custom_getter, dtype=dtype, use_resource=use_resource,
                 constraint=constraint, auxiliary_name_scope=True), name, name_scope)

    def get_variable(self, var_store, name, shape=None, dtype=None, initializer=None,
                     regularizer=None, reuse=None, trainable=None, collections=None,
                     caching_device=None, partitioner=None, validate_shape=True, use_resource=None,
                     custom_getter=None, constraint=None,
                     synchronization=VariableSynchronization.AUTO,
                     aggregation=VariableAggregation.NONE):
        """The variable of that name in this scope."""
        return self._get_variable(name, dict(
            shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
            reuse=reuse, trainable=trainable, collections=collections,
            caching_device=caching_device, partitioner=partitioner, validate_shape=validate_shape,
            use_resource=use_resource, custom_getter=custom_getter, constraint=constraint,
            synchronization=synchronization, aggregation=aggregation))

    def get_collection(self, name):
        """What the collection holds below this scope."""
        return _rill.get_default_graph().get_collection(name, self.name + "/" if self.name else None)

    def global_variables(self):
        return self.get_collection(_rill.graph_keys.GLOBAL_VARIABLES)

    def local_variables(self):
        return self.get_collection(_rill.graph_keys.LOCAL_VARIABLES)

    def trainable_variables(self):
        return self.get_collection(_rill.graph_keys.TRAINABLE_VARIABLES)

    @property
    def _name_scope(self):
        return self.original_name_scope


class variable_scope:
    """Opens a scope for variables, and a name scope with it, for the length of a block."""

    def __init__(self, name_or_scope, default_name=None, values=None, initializer=None,
                 regularizer=None, caching_device=None, partitioner=None, custom_getter=None,
                 reuse=None, dtype=None, use_resource=None, constraint=None,
                 auxiliary_name_scope=True):
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if not isinstance(name_or_scope, (str, VariableScope, type(None))):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError("The auxiliary_name_scope must be `True` or `False`, while get "
                            f"{auxiliary_name_scope}")
        if reuse is False:
            reuse = None
        self._values = values
        self._arguments = (name_or_scope, default_name, dict(
            initializer=initializer, regularizer=regularizer, caching_device=caching_device,
            partitioner=partitioner, custom_getter=custom_getter, reuse=reuse, dtype=dtype,
            use_resource=use_resource, constraint=constraint,
            auxiliary_name_scope=auxiliary_name_scope))
        self._open = []

    def __enter__(self):
        stack = contextlib.ExitStack()
        with contextlib.ExitStack() as entering:
            graph = _rill.graph_of_values(self._values or [])
            entering.enter_context(graph.as_default())
            scope = entering.enter_context(_rill.variable_scope_context(*self._arguments))
            stack = entering.pop_all()
        self._open.append(stack)
        return scope

    def __exit__(self, *exception):
        return self._open.pop().__exit__(*exception)


@contextlib.contextmanager
def variable_op_scope(values, name_or_scope, default_name=None, initializer=None, regularizer=None,
                      caching_device=None, partitioner=None, custom_getter=None, reuse=None,
                      dtype=None, use_resource=None, constraint=None):
    """variable_scope under its older name and order of arguments."""
    with variable_scope(name_or_scope, default_name, values, initializer, regularizer,
                        caching_device, partitioner, custom_getter, reuse, dtype, use_resource,
                        constraint) as scope:
        yield scope


def get_variable_scope():
    """The scope that get_variable uses now."""
    return _rill.get_variable_scope()


def create_partitioned_variables(shape, slicing, initializer, dtype=float32, trainable=True,
                                 collections=None, name=None, reuse=None):
    """The parts of a variable that is cut along one dimension, as a list."""
    if len(shape) != len(slicing):
        raise ValueError("The 'shape' and 'slicing' of a partitioned Variable must have the length: "
                         f"shape: {shape}, slicing: {slicing}")
    if len(shape) < 1:
        raise ValueError(f"A partitioned Variable must have rank at least 1: shape: {shape}")
    with variable_scope(name, "PartitionedVariable", reuse=reuse):
        return _rill.get_own_variable(dict(
            shape=shape, dtype=dtype, initializer=initializer, trainable=trainable,
            partitioner=lambda **_: slicing, collections=collections))._variable_list


def no_regularizer(_):
    """Takes part in no regularization."""
    return None


class PartitionedVariable(_rill.PartitionedVariableBase):
    """A variable whose parts, along one dimension, are variables of their own."""

    def __iter__(self):
        return iter(self._variable_list)

    def __len__(self):
        axes = self._partition_axes()
        if len(axes) > 1:
            raise ValueError("Cannot get a length for %d > 1 partition axes" % len(axes))
        return len(self._variable_list)

    @property
    def op(self):
        raise NotImplementedError(
            "PartitionedVariable does not have an op; its parts have: use self.as_tensor()")

    def _as_graph_element(self):
        return self.as_tensor()

    def __repr__(self):
        return f"<tf.PartitionedVariable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


class _Template(_rill.TemplateBase):
    """A function whose variables are made when it is first called, and shared after that."""

    def __init__(self, name, function, create_scope_now, unique_name, custom_getter, bound):
        super().__init__(name, create_scope_now, unique_name, custom_getter)
        self._function, self._bound = function, bound

    def __call__(self, *args, **kwargs):
        self._enter()
        failed = True
        try:
            result = self._function(*args, **{**self._bound, **kwargs})
            failed = False
        finally:
            self._leave(failed)
        return result

    func = property(lambda self: self._function)
    var_scope = property(lambda self: self.variable_scope)
    variable_scope_name = property(
        lambda self: self.variable_scope.name.rstrip("/") + "/" if self.variable_scope else None)

    def _collected(self, key):
        if self._eager_variables:
            made = [] if key == "LOCAL_VARIABLES" else self._eager_variables
            return [v for v in made if v.trainable or key != "TRAINABLE_VARIABLES"]
        scope = self.variable_scope
        return scope.get_collection(getattr(_rill.graph_keys, key)) if scope else []

    global_variables = property(lambda self: self._collected("GLOBAL_VARIABLES"))
    local_variables = property(lambda self: self._collected("LOCAL_VARIABLES"))
    variables = property(lambda self: self.global_variables + self.local_variables)
    trainable_variables = property(lambda self: self._collected("TRAINABLE_VARIABLES"))
    non_trainable_variables = property(lambda self: [
        v for v in self.global_variables
        if not any(v is trained for trained in self.trainable_variables)])
    weights, trainable_weights, non_trainable_weights = variables, trainable_variables, non_trainable_variables


def make_template(name_, func_, create_scope_now_=False, unique_name_=None, custom_getter_=None,
                  **kwargs):
    """`func_` with variables of its own, which all calls share."""
    return _Template(name_, func_, create_scope_now_, unique_name_, custom_getter_, kwargs)
