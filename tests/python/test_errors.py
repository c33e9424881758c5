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


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("collections, initializer", [
    (None, "tf.global_variables_initializer()"), (["local_variables"], "tf.local_variables_initializer()"),
    (["other"], "its initializer, the operation scope/v/Assign")])
def test_a_variable_without_a_value_says_what_to_run(resource, collections, initializer):
    with tf.Graph().as_default(), tf.variable_scope("scope", use_resource=resource):
        v = tf.get_variable("v", [], collections=collections)
        with tf.Session() as sess, pytest.raises(tf.errors.FailedPreconditionError) as caught:
            sess.run(v + 1.0)
    start = "Error while reading resource variable scope/v " if resource \
        else "Attempting to use uninitialized value scope/v\n"
    assert caught.value.message.startswith(start)
    assert caught.value.message.endswith(f"\n\t Run {initializer} in this session first.")


def test_a_fetched_variable_and_a_table_say_it_too():
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(1.0, name="v")
        with pytest.raises(tf.errors.FailedPreconditionError, match=r"Run tf.global_variables_initializer\(\)"):
            sess.run(v)
        table = tf.contrib.lookup.index_table_from_tensor(["a"])
        with pytest.raises(tf.errors.FailedPreconditionError, match=r"Run tf.tables_initializer\(\) in this session"):
            sess.run(table.lookup(tf.constant(["a"])))


def test_an_imported_graph_says_it_too():
    with tf.Graph().as_default():
        tf.get_variable("v", [2], use_resource=False)
        meta = tf.train.export_meta_graph()
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.train.import_meta_graph(meta)
        with pytest.raises(tf.errors.FailedPreconditionError, match="Run tf.global_variables_initializer"):
            sess.run("v/read:0")
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(meta.graph_def, name="")
        with pytest.raises(tf.errors.FailedPreconditionError, match="Run its initializer, the operation v/Assign"):
            sess.run("v/read:0")
