"""tf.Variable: what Python adds to the variables of C++."""

import contextlib
import enum
import functools
import weakref

import numpy as np

from rill import _rill


class VariableSynchronization(enum.Enum):
    """When the copies of a variable on several devices are brought together."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """How the copies of a variable on several devices become one value."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3


class SaveSliceInfo:
    """Where a part of a larger variable lies in it."""

    def __init__(self, full_name=None, full_shape=None, var_offset=None, var_shape=None,
                 save_slice_info_def=None, import_scope=None):
        if save_slice_info_def is not None:
            scope = f"{import_scope}/" if import_scope else ""
            full_name = scope + save_slice_info_def.full_name
            full_shape = list(save_slice_info_def.full_shape)
            var_offset = list(save_slice_info_def.var_offset)
            var_shape = list(save_slice_info_def.var_shape)
        self.full_name, self.full_shape = full_name, full_shape
        self.var_offset, self.var_shape = var_offset, var_shape

    @property
    def spec(self):
        """The slice as checkpoints name it: "10 4 0,5:0,4"."""
        return _rill.slice_spec(self.full_shape, self.var_offset, self.var_shape)

    def to_proto(self, export_scope=None):
        """The message of this slice, or None when the variable is outside `export_scope`."""
        from rill import proto
        message = proto.module("tensorflow/core/framework/variable.proto").SaveSliceInfoDef()
        if export_scope and not self.full_name.startswith(export_scope):
            return None
        message.full_name = self.full_name[len(export_scope) + 1:] if export_scope else self.full_name
        message.full_shape.extend(self.full_shape)
        message.var_offset.extend(self.var_offset)
        message.var_shape.extend(self.var_shape)
        return message


_CREATORS = []  # of the blocks around, outermost first


@contextlib.contextmanager
def variable_creator_scope(variable_creator):
    """Inside the block `variable_creator(next_creator, **kwargs)` is asked for every new variable."""
    _CREATORS.append(variable_creator)
    try:
        yield
    finally:
        _CREATORS.remove(variable_creator)


def _create_plainly(**kwargs):
    variable = _rill.VariableBase.__new__(Variable)
    variable._create(**kwargs)
    return variable


class Variable(_rill.VariableBase):
    """A tensor that keeps its value between runs."""

    SaveSliceInfo = SaveSliceInfo
    __array_priority__ = 100

    def __new__(cls, initial_value=None, trainable=None, collections=None, validate_shape=True,
                caching_device=None, name=None, variable_def=None, dtype=None, expected_shape=None,
                import_scope=None, constraint=None, use_resource=None,
                synchronization=VariableSynchronization.AUTO,
                aggregation=VariableAggregation.NONE, shape=None):
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            return Variable.from_proto(variable_def, import_scope)
        if cls is not Variable or not _CREATORS:
            return super().__new__(cls)
        create = _create_plainly
        for creator in _CREATORS:
            create = functools.partial(creator, create)
        return create(initial_value=initial_value, trainable=trainable, collections=collections,
                      validate_shape=validate_shape, caching_device=caching_device, name=name,
                      variable_def=variable_def, dtype=dtype, expected_shape=expected_shape,
                      import_scope=import_scope, constraint=constraint, use_resource=use_resource,
                      synchronization=synchronization, aggregation=aggregation, shape=shape)

    def __init__(self, initial_value=None, trainable=None, collections=None, validate_shape=True,
                 caching_device=None, name=None, variable_def=None, dtype=None, expected_shape=None,
                 import_scope=None, constraint=None, use_resource=None,
                 synchronization=VariableSynchronization.AUTO,
                 aggregation=VariableAggregation.NONE, shape=None):
        if not _rill.is_ready(self):  # not what a creator, or a proto, made already
            self._create(initial_value, trainable, collections, validate_shape, caching_device, name,
                         dtype=dtype, constraint=constraint, use_resource=use_resource,
                         synchronization=synchronization, aggregation=aggregation, shape=shape)

    def _create(self, initial_value=None, trainable=None, collections=None, validate_shape=True,
                caching_device=None, name=None, variable_def=None, dtype=None, expected_shape=None,
                import_scope=None, constraint=None, use_resource=None, synchronization=None,
                aggregation=None, shape=None):
        if collections is not None and not isinstance(collections, (list, tuple, set)):
            raise ValueError("collections argument to Variable constructor must be a list, tuple, or "
                             f"set. Got {collections} of type {type(collections)}")
        super().__init__(initial_value, trainable, collections, validate_shape, caching_device, name,
                         dtype, constraint, use_resource, synchronization, aggregation, shape)
        if self._copies_kind:
            self.__class__ = Variable._copied_kinds[self._copies_kind]
        elif type(self) is Variable:
            self.__class__ = ResourceVariable if self._is_resource else RefVariable

    @property
    def synchronization(self):
        return VariableSynchronization(self._synchronization_number)

    @property
    def aggregation(self):
        return VariableAggregation(self._aggregation_number)

    @property
    def create(self):
        if self._is_eager:
            raise RuntimeError("Calling create in EAGER mode not supported.")
        return self.initializer

    def eval(self, session=None):
        """The value, read in `session` or the default one."""
        if self._is_eager:
            raise RuntimeError("Trying to eval in EAGER mode")
        return self._as_graph_element().eval(session=session)

    def load(self, value, session=None):
        """Gives the variable a value in `session` or the default one."""
        if self._is_eager:
            self.assign(value)
            return
        session = session or _rill.get_default_session()
        if session is None:
            raise ValueError("Either session argument should be provided or default session should "
                             "be established")
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    def batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
        """Writes rows to the places that their indices name along the last dimension of each batch."""
        return _rill.functions.batch_scatter_update(self, sparse_delta.indices, sparse_delta.values,
                                                    use_locking, name)

    def is_initialized(self, name=None):
        """Whether the variable has a value, as a tensor."""
        return self._is_initialized(name)

    def experimental_ref(self):
        """Something that can be a key of a dict where the variable itself cannot."""
        return weakref.ref(self)

    ref = experimental_ref

    @property
    def _save_slice_info(self):
        return SaveSliceInfo(*self._native_slice) if self._native_slice else None

    def _get_save_slice_info(self):
        return self._save_slice_info

    def _set_save_slice_info(self, info):
        self._set_native_slice(info.full_name, list(info.full_shape), list(info.var_offset),
                               list(info.var_shape))

    @property
    def _in_graph_mode(self):
        return not self._is_eager

    def numpy(self):
        """The value, in eager execution."""
        if not self._is_eager:
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        if _rill.executing_eagerly():
            return self.read_value().numpy()
        with _rill.eager_graph().as_default():  # a model is being put together or run
            return self.read_value().numpy()

    @property
    def _variable(self):
        return self._ref()

    @property
    def _snapshot(self):
        return self._as_graph_element()

    def to_proto(self, export_scope=None):
        """The VariableDef of this variable, or None when it is outside `export_scope`."""
        if self._is_eager:
            raise RuntimeError("to_proto not supported in EAGER mode.")
        return _rill.variable_to_proto(self, export_scope)

    @staticmethod
    def from_proto(variable_def, import_scope=None):
        """The variable that a VariableDef of the default graph names."""
        return _rill.variable_from_proto(variable_def, import_scope)

    def __repr__(self):
        value = f", numpy={self.numpy()!r}" if self._is_eager else ""
        return f"<tf.Variable '{self.name}' shape={self.get_shape()} dtype={self.dtype.name}{value}>"

    __str__ = __repr__

    def __hash__(self):
        return id(self)

    def __deepcopy__(self, memo):
        if not self._is_eager:
            raise NotImplementedError("__deepcopy__() is only available when eager execution is enabled.")
        made = Variable(self.read_value(), trainable=self.trainable, constraint=self.constraint,
                        name=self.name.split(":")[0], dtype=self.dtype, synchronization=self.synchronization,
                        aggregation=self.aggregation)
        memo[id(self)] = made
        return made

    def __reduce__(self):
        if not self._is_eager:
            raise TypeError("cannot pickle a variable of a graph")
        return functools.partial(Variable, trainable=self.trainable, name=self.name.split(":")[0]), (self.numpy(),)

    def _no_change_in_place(self, sign, method):
        raise RuntimeError(f"Variable {sign}= value not supported. Use variable.{method}(value) to modify the variable "
                           f"value and variable = variable {sign} value to get a new Tensor object.")

    def __iadd__(self, other):
        return self + other if not self._is_eager else self._no_change_in_place("+", "assign_add")

    def __isub__(self, other):
        return self - other if not self._is_eager else self._no_change_in_place("-", "assign_sub")

    def __iter__(self):
        if self._is_eager:
            return iter(self.read_value())
        raise TypeError("'Variable' object is not iterable.")

    def __getitem__(self, key):
        piece = self.value()[key]
        if isinstance(piece, _rill.EagerTensor):
            piece.assign = lambda value, name=None: _rill.assign_eager_slice(self, key, value)
            return piece
        piece.assign = functools.partial(_rill.assign_slice, self, piece)
        return piece


class RefVariable(Variable):
    """A variable whose handle is a reference to its value."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **{**kwargs, "use_resource": False})


class ResourceVariable(Variable):
    """A variable whose handle is a resource."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **{**kwargs, "use_resource": True})

    def __array__(self, *args):
        return np.asarray(self.numpy(), *args)

    def __bool__(self):
        return bool(self.read_value())

    def __int__(self):
        return int(self.read_value())

    def __float__(self):
        return float(self.read_value())

    def __complex__(self):
        return complex(self.read_value())

    def __index__(self):
        return self.read_value().__index__()


class DistributedVariable(ResourceVariable):
    """A variable of which each replica of a strategy has a copy."""

    @property
    def values(self):
        """The copies."""
        return tuple(_rill.copies_of(self))

    @property
    def devices(self):
        """Where they are."""
        return tuple(copy.device for copy in self.values)

    @property
    def primary(self):
        """The first copy."""
        return _rill.copies_of(self)[0]

    @property
    def distribute_strategy(self):
        """The strategy whose replicas have the copies."""
        from rill import _distribute
        return _distribute.get_strategy()

    def get(self, device=None):
        """The copy of the replica that is being built, or on a device."""
        copies = self.values
        if device is not None:
            return copies[self.devices.index(_rill.full_device(device, ""))]
        return copies[max(_rill.replica_here(), 0)]

    def read_var(self):
        """The value."""
        return self.read_value()

    @property
    def handle(self):
        """The handle of the copy of the replica that is being built."""
        if _rill.replica_here() < 0 and len(_rill.copies_of(self)) > 1:
            raise ValueError("`handle` is not available outside the replica context or a "
                             "`tf.distribute.Strategy.update()` call.")
        return super().handle

    def __repr__(self):
        lines = ",\n".join(f"  {i} {copy.device}: {copy!r}" for i, copy in enumerate(self.values))
        return f"{type(self).__name__}:{{\n{lines}\n}}"

    __str__ = __repr__


class MirroredVariable(DistributedVariable):
    """Copies that stay the same: they change together."""


class SyncOnReadVariable(DistributedVariable):
    """Copies that replicas change for themselves; they come together when they are read outside of replicas."""


class AggregatingVariable(ResourceVariable):
    """A variable in one place that several replicas change together."""


Variable._kinds = (RefVariable, ResourceVariable)  # which variables made in C++ are
Variable._copied_kinds = {kind.__name__: kind for kind in (MirroredVariable, SyncOnReadVariable, AggregatingVariable)}


class UnreadVariable(ResourceVariable):
    """A resource variable after a write: whoever reads it waits for the write."""


def _operator(name):
    def call(self, *args):
        return getattr(self.value(), name)(*args)
    return call


for _name in ("add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or",
              "xor"):
    for _prefix in ("", "r"):
        if hasattr(_rill.Tensor, f"__{_prefix}{_name}__"):
            setattr(Variable, f"__{_prefix}{_name}__", _operator(f"__{_prefix}{_name}__"))
for _name in ("__lt__", "__le__", "__gt__", "__ge__", "__neg__", "__abs__", "__invert__"):
    setattr(Variable, _name, _operator(_name))

VariableV1 = Variable
enable_resource_variables = _rill.enable_resource_variables
disable_resource_variables = _rill.disable_resource_variables
resource_variables_enabled = _rill.resource_variables_enabled
