"""tf.errors: classes, codes, and what they keep."""
import pickle

import pytest

import rill as tf

CODES = {name: value for name, value in vars(tf.errors).items() if name.isupper()}


def class_of(name):
    return getattr(tf.errors, "".join(part.capitalize() for part in name.split("_")) + "Error")


def test_there_are_all_codes():
    assert sorted(CODES.values()) == list(range(17))


@pytest.mark.parametrize("name", sorted(set(CODES) - {"OK"}))
def test_every_code_has_its_class(name):
    cls, code = class_of(name), CODES[name]
    assert tf.errors.exception_type_from_error_code(code) is cls
    assert tf.errors.error_code_from_exception_type(cls) == code
    error = cls(None, None, "what happened")
    assert isinstance(error, tf.errors.OpError) and error.error_code == code
    assert (error.message, str(error), error.op, error.node_def) == ("what happened", "what happened", None, None)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is cls and again.message == error.message and again.error_code == code


def test_an_unknown_error_keeps_its_code():
    assert tf.errors.UnknownError(None, None, "m").error_code == tf.errors.UNKNOWN
    assert tf.errors.UnknownError(None, None, "m", 99).error_code == 99


def test_errors_know_their_operation():
    op = tf.no_op(name="n")
    error = tf.errors.AbortedError(None, op, "m")
    assert error.op is op and error.node_def.name == "n"


def test_a_status_is_raised_at_the_end_of_its_block():
    with tf.errors.raise_exception_on_not_ok_status() as status:
        assert status.code == tf.errors.OK
    with pytest.raises(tf.errors.NotFoundError, match="nothing there"):
        with tf.errors.raise_exception_on_not_ok_status() as status:
            status.set(tf.errors.NOT_FOUND, "nothing there")
    with pytest.raises(ValueError):
        with tf.errors.raise_exception_on_not_ok_status() as status:
            status.set(tf.errors.NOT_FOUND, "nothing there")
            raise ValueError


def test_a_class_of_another_kind_has_no_code():
    with pytest.raises(KeyError):
        tf.errors.error_code_from_exception_type(ValueError)
