"""Functions of C++ look and act like Python's: signatures, code, pickling, copying, wrapping."""
import copy
import functools
import inspect
import pickle
import types

import pytest

import tensorflow as tf
from rill import _api_compare

FACTS = _api_compare.read_facts()
COMPARISON = _api_compare.Comparison(tf, FACTS)


def found(kinds):
    """The callables of TensorFlow's table that are there, by symbol."""
    for fact in FACTS.values():
        if fact.kind in kinds:
            try:
                value = COMPARISON.find(fact.symbol)
            except (AttributeError, NotImplementedError):
                continue
            if callable(value):
                yield fact, value


def is_of_object(value):
    """Inherited from `object`, or from a type of Python without a signature."""
    return isinstance(value, (types.WrapperDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType))


def shown_signature(value):
    """What inspect says, compared as `rill api` compares."""
    kinds = inspect.Parameter
    given = inspect.signature(value).parameters.values()
    parameters = tuple(_api_compare.Parameter(
        p.name, None if p.default is p.empty else repr(p.default),
        _api_compare._MISSING if p.default is p.empty else p.default, p.kind is p.KEYWORD_ONLY)
        for p in given if p.kind not in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD))
    return _api_compare.Signature(parameters, any(p.kind is kinds.VAR_POSITIONAL for p in given),
                                  any(p.kind is kinds.VAR_KEYWORD for p in given))


def test_every_callable_has_a_signature():
    without = []
    for fact, value in found(("function", "method")):
        if is_of_object(value):
            continue
        try:
            inspect.signature(value)
            inspect.getfullargspec(value)
        except (TypeError, ValueError) as error:
            without.append((fact.symbol, str(error)))
    assert without == []


def test_signatures_are_those_of_tensorflow():
    """inspect shows what the comparison of `rill api` reads."""
    different = []
    for fact, value in found(("function",)):
        if fact.signature:
            why = _api_compare.difference(_api_compare.parse_signature(fact.signature), shown_signature(value))
            if why and COMPARISON.look_at(fact).status == _api_compare.SAME:
                different.append((fact.symbol, why))
    assert different == []


def test_every_function_is_one():
    assert [fact.symbol for fact, value in found(("function",))
            if not inspect.isfunction(value) and not inspect.isclass(value)] == []


def test_code_and_defaults_say_the_same_as_the_signature():
    for fact, value in found(("function",)):
        if type(value) is not types.FunctionType and not inspect.isclass(value):
            names = [p.name for p in inspect.signature(value).parameters.values()]
            assert list(value.__code__.co_varnames) == names, fact.symbol
            assert inspect.getfullargspec(value).args == names[:value.__code__.co_argcount], fact.symbol


def test_every_function_can_be_pickled_and_copied():
    broken = []
    for fact, value in found(("function", "class")):
        if hasattr(value, "DESCRIPTOR") and value.DESCRIPTOR.containing_type is not None:
            continue  # a message within a message: protobuf itself does not say where it is
        try:
            same = [pickle.loads(pickle.dumps(value, protocol)) is value for protocol in (2, 4)]
            same += [copy.copy(value) is value, copy.deepcopy(value) is value]
        except Exception as error:
            broken.append((fact.symbol, str(error)))
            continue
        if not all(same):
            broken.append((fact.symbol, same))
    assert broken == []


@pytest.mark.parametrize("function, shown", [
    (tf.Session, "(target='', graph=None, config=None, *, finalize_after=0)"),
    (tf.Graph, "()"),
    (tf.Session.run, "(self, fetches, feed_dict=None, options=None, run_metadata=None)"),
    (tf.Tensor.eval, "(self, feed_dict=None, session=None)"),
    (tf.Operation.run, "(self, feed_dict=None, session=None)"),
    (tf.constant, "(value, dtype=None, shape=None, name='Const', verify_shape=False)"),
    (tf.placeholder, "(dtype, shape=None, name=None)"),
    (tf.nn.relu, "(features, name=None)"),
    (tf.raw_ops.Add, "(x, y, name=None)"),
])
def test_what_programs_look_at(function, shown):
    assert str(inspect.signature(function)) == shown


def test_methods_of_objects():
    with tf.Session() as session:
        assert inspect.ismethod(session.run) and session.run.__self__ is session
        assert list(inspect.signature(session.run).parameters)[0] == "fetches"
        assert inspect.getfullargspec(session.run).args[:2] == ["self", "fetches"]
        assert session.run.__func__ is tf.Session.run


def test_subclasses_have_their_own_signature():
    class Own(tf.Session):
        def __init__(self, name):
            super().__init__()

    class Inheriting(tf.Session):
        pass

    assert str(inspect.signature(Own)) == "(name)"
    assert inspect.signature(Inheriting) == inspect.signature(tf.Session)


def test_wrapping():
    @functools.wraps(tf.nn.relu)
    def wrapped(*args, **kwargs):
        return tf.nn.relu(*args, **kwargs)

    assert wrapped.__name__ == "relu" and wrapped.__wrapped__ is tf.nn.relu
    assert inspect.signature(wrapped) == inspect.signature(tf.nn.relu)
    assert wrapped(-1.0).op.type == "Relu"


def test_a_copy_made_of_the_code_is_the_function():
    original = tf.nn.relu6
    copied = types.FunctionType(original.__code__, original.__globals__, "mine", original.__defaults__,
                                original.__closure__)
    assert copied(1.0).op.type == "Relu6" and copied(1.0, name="x").op.name == "x"


def test_functions_can_have_attributes():
    tf.nn.elu.of_mine = 3
    assert tf.nn.elu.of_mine == 3 and vars(tf.nn.elu) == {"of_mine": 3}
    del tf.nn.elu.of_mine
    assert not hasattr(tf.nn.elu, "of_mine")


def test_pickles_of_tensorflow_can_be_read():
    """A function is written by the module that TensorFlow has it in."""
    assert pickle.loads(b"ctensorflow.python.ops.math_ops\nreduce_sum\n.") is tf.reduce_sum
    assert pickle.loads(b"ctensorflow_core.python.framework.dtypes\nfloat32\n.") is tf.float32
    assert pickle.loads(b"ctensorflow.python.ops.gen_nn_ops\nrelu\n.")(1.0).op.type == "Relu"


def test_shapes_and_types_can_be_pickled():
    for value in (tf.TensorShape([1, None]), tf.TensorShape(None), tf.Dimension(3), tf.Dimension(None), tf.float32):
        again = pickle.loads(pickle.dumps(value))
        assert type(again) is type(value) and repr(again) == repr(value)
        assert repr(copy.deepcopy(value)) == repr(value)
    assert tf.DType(1) == tf.float32 and tf.DType(1).name == "float32"
    device = tf.DeviceSpec.from_string("/job:a/device:GPU:1")
    assert copy.deepcopy(device).to_string() == pickle.loads(pickle.dumps(device)).to_string() == device.to_string()


def test_how_they_are_shown():
    assert repr(tf.constant).startswith("<function constant at 0x") and repr(tf.nn.relu).startswith("<function relu at")
    with tf.Session() as session:
        assert repr(session.run).startswith("<bound method Session.run of ")
