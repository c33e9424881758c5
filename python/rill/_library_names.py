"""Small functions of TensorFlow's private modules that libraries call: most answer for a runtime without XLA."""

import contextlib
import marshal
import re
import types

import rill
from rill import _rill

ENABLE_CONTROL_FLOW_V2 = False


def GraphOrParentsInXlaContext(graph):
    """Whether a graph is compiled by XLA: never."""
    return False


def GetContainingXLAContext(ctxt):
    """The context of XLA around another: there is none."""
    return None


def tf2_enabled():
    """Whether the program asked for TensorFlow 2's behaviour."""
    return False


def shape_internal(input, name=None, optimize=True, out_type=_rill.int32):
    """tf.shape; as a constant where it is known and `optimize`."""
    return rill.shape(input, name, out_type) if optimize else _rill.op_function("Shape")(input, out_type, name)


def size_internal(input, name=None, optimize=True, out_type=_rill.int32):
    """tf.size; as a constant where it is known and `optimize`."""
    return rill.size(input, name, out_type) if optimize else _rill.op_function("Size")(input, out_type, name)


def rank_internal(input, name=None, optimize=True):
    """tf.rank; as a constant where it is known and `optimize`."""
    return rill.rank(input, name) if optimize else _rill.op_function("Rank")(input, name)


def remove_squeezable_dimensions(predictions, labels, weights):
    """Predictions, labels and weights without a last dimension of 1 that the others do not have."""
    predictions = rill.convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = _rill.functions.__internal__.math.remove_squeezable_dimensions(labels, predictions)
    if weights is None:
        return predictions, labels, None
    weights = rill.convert_to_tensor(weights)
    ranks = weights.get_shape().ndims, predictions.get_shape().ndims
    if ranks[0] is not None and ranks[1] is not None:
        if ranks[0] - ranks[1] == 1:
            weights = rill.squeeze(weights, [-1])
        elif ranks[1] - ranks[0] == 1 and ranks[0]:
            weights = rill.expand_dims(weights, [-1])
    return predictions, labels, weights


def safe_scalar_div(numerator, denominator, name):
    """A quotient that is 0 where the divisor is."""
    return rill.div_no_nan(numerator, denominator, name=name)


def try_evaluate_constant(graph, output):
    """The value of a tensor that follows from constants, or None."""
    return rill.get_static_value(output)


def func_dump(func):
    """A function as what can be written to a file: code, defaults and closure."""
    closure = tuple(cell.cell_contents for cell in func.__closure__) if func.__closure__ else None
    return marshal.dumps(func.__code__).decode("raw_unicode_escape"), func.__defaults__, closure


def func_load(code, defaults=None, closure=None, globs=None):
    """A function of what func_dump() gave."""
    if isinstance(code, (tuple, list)):
        code, defaults, closure = code
    cells = None if closure is None else tuple(types.CellType(value) for value in closure)
    code = marshal.loads(code.encode("raw_unicode_escape"))
    return types.FunctionType(code, globs or globals(), name=code.co_name, argdefs=tuple(defaults or ()) or None,
                              closure=cells)


def register_symbolic_tensor_type(cls):
    """Objects of a class pass for tensors that a session computes."""
    from rill._framework import TensorLike
    TensorLike.register(cls)


def set_shapes_for_outputs(op):
    """Nothing is left to do: an operation has its shapes when it is made."""


class TpuContext:
    """How a computation is spread over tensor processing units: not at all."""

    number_of_shards = None


def get_tpu_context():
    """The context of the program."""
    return TpuContext()


def register_dense_tensor_like_type(tensor_type):
    """Objects of a class pass for dense tensors: it must have the properties name and dtype."""
    from rill import _framework
    for name in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, name, None), property):
            raise TypeError(f"Type {tensor_type.__name__} does not define a `{name}` property")
    _framework.register_dense(tensor_type)


def pure_variable_scope(name_or_scope, reuse=None, initializer=None, regularizer=None, caching_device=None, partitioner=None,
                        custom_getter=None, old_name_scope=None, dtype=None, use_resource=None, constraint=None):
    """A scope of variables without a name scope."""
    return rill.variable_scope(
        name_or_scope, None, None, initializer, regularizer, caching_device, partitioner, custom_getter, reuse, dtype,
        use_resource, constraint, auxiliary_name_scope=False)


def _clean_tag(name):
    return re.sub(r"[^-/\w\.]", "_", name).lstrip("/")


@contextlib.contextmanager
def summary_scope(name, family=None, default_name=None, values=None):
    """The name scope of a summary and its tag, in which the family comes first."""
    name = _clean_tag(name or default_name)
    family = family and _clean_tag(family)
    with rill.name_scope(f"{family}/{name}" if family else name, default_name, values) as scope:
        tag = scope.rstrip("/")
        yield (f"{family}/{tag}" if family else tag), scope


def collect(val, collections, default_collections):
    """Adds a summary to collections."""
    for key in default_collections if collections is None else collections:
        rill.add_to_collection(key, val)


def skip_summary():
    """Whether this replica leaves summaries to another: there is one only."""
    return False
