"""Calls public functions with arguments of other types than usual and tells which calls are taken.

`python tests/arguments/sweep.py [FIRST]` prints a line for each call of calls.txt: its outcomes, one
letter a variation, in the order of variations_of(). What TensorFlow 2.15 prints is kept in
outcomes.txt, with which tests/python/test_arguments.py compares what Rill does.
"""
import ast
import os
import pathlib
import sys
import tempfile
import warnings

HERE = pathlib.Path(__file__).parent
LETTERS = {"TypeError": "T", "ValueError": "V", "AttributeError": "A", "InvalidArgumentError": "I",
           "NotImplementedError": "N", "RuntimeError": "R", "OverflowError": "O", "IndexError": "X",
           "KeyError": "K", "InternalError": "E", "OperatorNotAllowedInGraphError": "T",
           "AssertionError": "S", "UnboundLocalError": "U", "NameError": "U"}


def calls():
    lines = (HERE / "calls.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def variations_of(name, value):
    """Texts of values to be used in place of `value`, the text of an argument that works."""
    node = ast.parse(value, mode="eval").body
    kind = type(node.value) if isinstance(node, ast.Constant) else type(node)
    if isinstance(node, ast.UnaryOp):
        kind = int
    if value.startswith("tf.float") or value.startswith("tf.int") or value == "tf.bool" or value == "tf.uint8":
        short = value[3:]
        return [f"'{short}'", f"np.dtype('{short}')", f"tf.{short}.as_numpy_dtype", "None", "'x'", "3",
                f"tf.{short}.as_datatype_enum", "[1]"]
    if kind is bool:
        return ["1", "0", "np.bool_(True)", "np.int64(0)", "None", "'x'", "[]", "1.0", "np.array(True)"]
    if kind is int:
        return [f"np.int64({value})", f"np.int32({value})", f"float({value})", f"np.float32({value})",
                f"np.array({value})", f"tf.Dimension(abs({value}))", "True", "None", "'x'", "b'x'", f"{value} + .5",
                "[1, 1]", f"tf.constant({value})"]
    if kind is float:
        return ["1", "np.float64(.5)", "np.float32(.5)", "np.int64(1)", "True", "None", "'x'", "np.array(.5)",
                "tf.constant(.5)", "[.5]"]
    if kind is str:
        return [f"b{value}", f"np.str_({value})", "None", "5", "['a']", "''"]
    if kind is ast.List and all(isinstance(e, ast.Constant) and isinstance(e.value, int) for e in node.elts):
        items = [ast.unparse(e) for e in node.elts]
        joined = ", ".join(items)
        return [f"({joined},)" if items else "()", f"np.array([{joined}], np.int32)", f"np.array([{joined}])",
                "[" + ", ".join(f"np.int64({i})" for i in items) + "]",
                "[" + ", ".join(f"tf.Dimension({i})" for i in items) + "]",
                "[" + ", ".join(f"float({i})" for i in items) + "]", f"tf.TensorShape([{joined}])",
                f"tf.constant([{joined}], tf.int32)", f"iter([{joined}])", "range(1, 3)", "None", "'x'", "1"]
    if kind is ast.List:
        return [f"tuple({value})", f"iter({value})", f"{value}[0]", "None", "'x'", "5"]
    if kind is type(None):
        return ["0", "1", "'x'"]
    if kind is ast.Name:
        return ["None", "'x'", "1", "1.5", "[[1., 2., 3.], [4., 5., 6.]]", "np.ones([2, 3], np.float32)"]
    return ["None", "1"]


def varied_calls(line):
    """Each call with one argument changed, and what was changed: (argument, variation, text)."""
    tree = ast.parse(line, mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        for keyword in node.keywords:
            if keyword.arg is None:
                continue
            usual = keyword.value
            for text in variations_of(keyword.arg, ast.unparse(usual)):
                keyword.value = ast.parse(text, mode="eval").body
                yield keyword.arg, text, ast.unparse(tree)
            keyword.value = usual


def values_of(tf, np, folder):
    tf.reset_default_graph()
    v = tf.Variable(1.5, name="variable")
    return {"tf": tf, "np": np, "X": tf.ones([2, 3]), "IMG": tf.ones([2, 8, 8, 3]), "SEQ": tf.ones([2, 5, 3]),
            "INT": tf.constant([0, 1]), "S": tf.constant(["a", "b"]), "V": v, "L": v * v, "DIR": folder}


def outcome(tf, np, folder, text):
    try:
        eval(text, values_of(tf, np, folder))
    except Exception as error:
        if "nanobind" in str(error) or "The following argument types are supported" in str(error) \
                or "std::" in str(error):
            return "!"
        return LETTERS.get(type(error).__name__, "?")
    return "."


def outcomes(tf, np, lines):
    """The lines with their outcomes, the first that of the call as it stands."""
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            usual = outcome(tf, np, folder, line)
            yield line, usual + "".join(outcome(tf, np, folder, text) for _, _, text in varied_calls(line))


def main():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    warnings.simplefilter("ignore")
    import numpy as np
    import tensorflow
    tf = tensorflow
    if tensorflow.__version__.startswith("2"):
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
    tf.logging.set_verbosity("ERROR")
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    for line, letters in outcomes(tf, np, calls()[first:]):
        print(f"{letters}\t{line}", flush=True)


if __name__ == "__main__":
    main()
