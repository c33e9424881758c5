"""A library adds a device whose memory the host may not touch; programs train on it unchanged."""
import shlex

import pytest

import rill as tf
from building import ROOT, Compiler, run_shell


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = Compiler(tmp_path_factory.mktemp("stand_in"))
    compiler.start("stand_in.cc", 20, f"-I{ROOT}")
    return compiler.result("stand_in.cc")


def lines_of(program, library, folder):
    done = run_shell(f"python {ROOT}/tests/custom_ops/{program} {library} {folder}", folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_training_on_a_device_of_a_library(library, tmp_path):
    lines = lines_of("stand_in_program.py", library, tmp_path)
    assert "/job:localhost/replica:0/task:0/device:STANDIN:1" in lines[0]
    assert lines[1].count("STANDIN") == 4  # name and type of two
    assert lines[2:] == [
        f"{name} losses True values True restored True updates ['STANDIN:0']"
        for name in ("sgd", "momentum", "adam")]


def test_models_give_the_same_bits(library, tmp_path):
    models = ("images", "sequences", "words", "loop", "pipeline", "both_devices")
    assert lines_of("stand_in_models.py", library, tmp_path) == [f"{name} True True" for name in models]


C_PROGRAM = """
import sys
import tensorflow as tf
sys.stdout.reconfigure(line_buffering=True)
tf.load_op_library(sys.argv[1])
x = tf.placeholder(tf.float32, [None])
root = tf.sqrt(x, name="root")
part = tf.slice(root, [1], [2])
print(tf.config.experimental.list_physical_devices("CDEV"))
with tf.Session() as session:
    print(session.run(part, {x: [1.0, 4.0, 9.0, 16.0]}))
    try:
        session.run(part, {x: [1.0, -4.0, 9.0]})
    except tf.errors.InvalidArgumentError as error:
        print("no root of a negative number" in str(error), "[[node root" in str(error), "CDEV:0" in str(error))
    print(session.run(part, {x: [1.0, 4.0, 9.0]}))
"""


def test_a_device_in_c(tmp_path):
    source, library = ROOT / "tests" / "custom_ops" / "c_device.c", tmp_path / "c_device.so"
    (tmp_path / "program.py").write_text(C_PROGRAM)
    link = shlex.join(tf.sysconfig.get_link_flags())
    done = run_shell(f"gcc -std=c11 -Wall -Wextra -Werror -fPIC -shared -I{ROOT}/include {source} {link} -lm"
                     f" -o {library} && python program.py {library}", tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "again 6 wrong 6"  # the name is taken; nothing is no type and no kernel
    assert "CDEV" in lines[1]
    assert lines[2:] == ["[2. 3.]", "True True True", "[2. 3.]", "3 values went up"]
