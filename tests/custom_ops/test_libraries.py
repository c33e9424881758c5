"""tf.load_op_library, and what a loaded library's functions do."""
import shutil

import numpy as np
import pytest

import rill as tf
from building import HERE, run_shell

GUIDE = r"""
TF_CFLAGS=( $(python -c 'import tensorflow as tf; print(" ".join(tf.sysconfig.get_compile_flags()))') )
TF_LFLAGS=( $(python -c 'import tensorflow as tf; print(" ".join(tf.sysconfig.get_link_flags()))') )
g++ -std=c++11 -shared zero_out.cc -o zero_out.so -fPIC ${TF_CFLAGS[@]} ${TF_LFLAGS[@]} -O2
python use.py
"""
USE = """
import tensorflow as tf
zero_out_module = tf.load_op_library('./zero_out.so')
with tf.Session(''):
  print(zero_out_module.zero_out([[1, 2], [3, 4]]).eval().tolist())
"""


def test_the_guide_as_written(tmp_path):
    shutil.copy(HERE / "zero_out.cc", tmp_path)
    (tmp_path / "use.py").write_text(USE)
    done = run_shell(GUIDE, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[[1, 0], [0, 0]]\n"


def evaluate(value):
    with tf.Session() as session:
        return session.run(value)


def test_attributes_and_their_defaults(attr_ops):
    got = evaluate(attr_ops.describe_attrs(fn="Neg"))
    assert got == (b"3 0.5 1 hello fast; float; [2,?]; 7; 1/2; 020; a/b; int32, string; Neg")
    got = evaluate(attr_ops.describe_attrs(
        "Relu", i=9, f=1.25, b=False, s="bye", mode="exact", t=tf.int64, shape=[None, 4],
        tensor=np.int32(5), ints=[], floats=[1.0], bools=[], types=[],
        strings=["x"], shapes=[[1], None]))
    assert got == b"9 1.25 0 bye exact; int64; [?,4]; 5; ; 102; x; ; Relu"


def test_signature_and_documentation(attr_ops):
    import inspect
    function = attr_ops.describe_attrs
    assert function.__name__ == "describe_attrs"
    parameters = inspect.signature(function).parameters
    assert list(parameters)[:3] == ["fn", "i", "f"]
    assert parameters["i"].default == 3 and parameters["name"].default is None
    assert "Says what its attributes are." in function.__doc__
    assert "a number." in function.__doc__


@pytest.mark.parametrize("wrong", [{"i": 0}, {"mode": "other"}])
def test_constraints_on_attributes(attr_ops, wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        attr_ops.describe_attrs(fn="Neg", **wrong)


def test_lists_of_one_type(attr_ops):
    node = attr_ops.sum_all([[1, 2], [3, 4], [5, 6]], name="total")
    assert node.op.name == "total" and node.op.get_attr("N") == 3
    assert evaluate(node).tolist() == [9, 12]
    assert evaluate(attr_ops.sum_all([[0.5], [1.0]])).tolist() == [1.5]
    with pytest.raises((TypeError, ValueError), match="string"):
        attr_ops.sum_all([["a"], ["b"]])
    with pytest.raises(ValueError, match="equal"):
        attr_ops.sum_all([[1, 2], [3]])
    with tf.Session() as session:
        with pytest.raises(tf.errors.NotFoundError, match="No registered 'SumAll' OpKernel"):
            session.run(attr_ops.sum_all([tf.constant([1.0], tf.float64)]))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "int64", "float16",
                                   "float32", "float64", "bfloat16"])
def test_every_type_of_a_list_of_types(attr_ops, dtype):
    values = tf.raw_ops.Cast(x=[5, 4, 3], DstT=getattr(tf, dtype))
    out = tf.raw_ops.Cast(x=attr_ops.zero_out_t(values, preserve_index=1), DstT=tf.int32)
    assert evaluate(out).tolist() == [0, 4, 0]


def test_checks_of_the_guide(attr_ops):
    with pytest.raises(ValueError, match="Shape must be rank 1 but is rank 0"):
        attr_ops.zero_out_t(0)
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="preserve_index out of range"):
            session.run(attr_ops.zero_out_t([5, 4, 3], preserve_index=17))
        with pytest.raises(tf.errors.InvalidArgumentError, match="Need preserve_index >= 0, got -1"):
            session.run(attr_ops.zero_out_t([5, 4, 3], preserve_index=-1))
    assert evaluate(attr_ops.zero_out_t([5, 4, 3])).tolist() == [5, 0, 0]


def test_lists_of_any_types(attr_ops):
    out = attr_ops.reversed([1, "two", [3.0]], Tout=[tf.float32, tf.string, tf.int32])
    assert [value.dtype for value in out] == [tf.float32, tf.string, tf.int32]
    values = evaluate(out)
    assert values[0].tolist() == [3.0] and values[1] == b"two" and values[2] == 1


def test_choice_of_kernels(attr_ops, graph):
    assert evaluate(attr_ops.which_kernel(1)) == b"Any"
    assert evaluate(attr_ops.which_kernel(1.0)) == b"Float"
    definition = graph.as_graph_def()
    definition.node[-1].attr["_kernel"].s = b"special"
    labelled, = tf.import_graph_def(definition, return_elements=[definition.node[-1].name + ":0"])
    assert evaluate(labelled) == b"Labelled"


def test_shape_functions(attr_ops):
    size = tf.constant(5)
    tiled, vector = attr_ops.shape_exercise(tf.placeholder(tf.float32, [3, None]), size, factor=4)
    assert tiled.shape.as_list() == [12, None] and vector.shape.as_list() == [None]
    tiled, vector = attr_ops.shape_exercise(tf.placeholder(tf.float32, [3, 2]), size)
    assert tiled.shape.as_list() == [6, 2] and vector.shape.as_list() == [7]
    with pytest.raises(ValueError, match="Shape must be rank 2 but is rank 1 for .*ShapeExercise"):
        attr_ops.shape_exercise([1.0], size)
    with pytest.raises(ValueError, match="must be non-negative but is -1"):
        attr_ops.shape_exercise([[1.0]], tf.constant(-1))


def test_a_library_that_is_not_there():
    with pytest.raises(tf.errors.NotFoundError, match="cannot open shared object file"):
        tf.load_op_library("./no_such_library.so")
    with pytest.raises(OSError):
        tf.load_library("./no_such_folder")


def test_loading_twice(attr_ops):
    assert tf.load_op_library(attr_ops.__file__) is attr_ops
    tf.load_library(attr_ops.__file__)


def test_positional_and_keyword_arguments(kernel_ops):
    assert evaluate(kernel_ops.axpy([1.0], [2.0], 3.0, "n")).tolist() == [5.0]
    with pytest.raises(TypeError, match="multiple values"):
        kernel_ops.axpy([1.0], [2.0], x=[1.0], a=1.0)
    with pytest.raises(TypeError, match="positional arguments"):
        kernel_ops.axpy(1, 2, 3, 4, 5)
    with pytest.raises(TypeError, match="required"):
        kernel_ops.axpy([1.0])


def test_numpy_values(kernel_ops):
    x = np.arange(100000, dtype=np.int64)
    assert (evaluate(kernel_ops.square_sharded(x)) == x * x).all()
    y = np.linspace(0, 1, 70001, dtype=np.float32)[1:]  # not aligned
    x = tf.placeholder(tf.float32, [70000])
    with tf.Session() as session:
        out = session.run(kernel_ops.axpy(x, x, a=2.0), {x: y})
    assert np.allclose(out, 3 * y)


def test_gradient_of_a_custom_op(kernel_ops):
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    z = kernel_ops.axpy(x, y, a=3.0)
    with pytest.raises(LookupError, match="No gradient defined for operation 'Axpy'"):
        tf.gradients(z, [x])

    @tf.RegisterGradient("Axpy")
    def axpy_grad(op, grad):
        return [tf.raw_ops.Mul(x=grad, y=op.get_attr("a")), grad]

    assert [value.tolist() for value in evaluate(tf.gradients(z, [x, y]))] == [[3, 3], [1, 1]]


def test_modules_that_packages_of_ops_import(attr_ops, tmp_path):
    (tmp_path / "package.py").write_text(
        "from tensorflow.python.framework import load_library, ops\n"
        "from tensorflow.python.platform import resource_loader\n"
        f"path = resource_loader.get_path_to_datafile('x.so')\n"
        f"module = load_library.load_op_library('{attr_ops.__file__}')\n"
        "print(path, module.sum_all.__name__, ops.RegisterGradient.__name__)\n")
    done = run_shell("python package.py", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path}/x.so sum_all RegisterGradient\n"


def test_a_wrong_registration_is_an_error_of_the_loading(compiler):
    with pytest.raises(tf.errors.InvalidArgumentError, match="WrongOp.*unknown kind 'nonsense'"):
        tf.load_op_library(compiler.result("wrong_ops.cc"))
    assert "RightOp" in dir(tf.raw_ops)  # registered all the same, and harmless
