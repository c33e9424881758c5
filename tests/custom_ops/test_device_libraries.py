"""A library adds a device whose memory the host may not touch; programs train on it unchanged."""
import re
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
    print(session.list_devices()[1].memory_limit_bytes >> 20)
"""


def test_a_device_in_c(tmp_path):
    source, library = ROOT / "tests" / "custom_ops" / "c_device.c", tmp_path / "c_device.so"
    (tmp_path / "program.py").write_text(C_PROGRAM)
    link = shlex.join(tf.sysconfig.get_link_flags())
    done = run_shell(f"gcc -std=c11 -Wall -Wextra -Werror -fPIC -shared -I{ROOT}/include {source} {link} -lm"
                     f" -o {library} && python program.py {library}", tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "again 6 wrong 6 old 0"  # the name is taken; nothing is no type and no kernel
    assert "CDEV" in lines[1]
    assert lines[2:] == ["[2. 3.]", "True True True", "[2. 3.]", "64", "3 values went up, 1 pinned blocks"]


GPU_LINES = [
    "gpu True /device:GPU:0",
    "['/physical_device:GPU:0', '/physical_device:GPU:1']",
    "[('/device:CPU:0', 256), ('/device:GPU:0', 256), ('/device:GPU:1', 256)]",
    "visible [('CPU:0', 256), ('GPU:0', 256)]",
    "fraction [('CPU:0', 256), ('GPU:0', 128), ('GPU:1', 128)]",
    "virtual [('CPU:0', 256), ('GPU:0', 16), ('GPU:1', 32)]",
    "refused 'visible_device_list' listed an invalid GPU id '7' but visible device count is 2",
    "refused Could not parse entry in 'visible_device_list': 'a'. visible_device_list = a",
    "all [('CPU:0', 256), ('GPU:0', 256), ('GPU:1', 256)]",
    "none 1",
    "colocated 2.0",
    "memory True 0",
    "CPU:0 ['add'] None",
    "GPU:0 ['MatMul'] ['GPU_0_bfc']",
    "GPU:1 ['Tanh'] None",
    "prefetched (True, [0.0, 2.0, 4.0, 6.0])",
    "copied (True, [0.0, 2.0, 4.0, 6.0])",
    "dealt [[0.0, 1.0], [2.0, 3.0]] /device:GPU:0 /device:GPU:1",
    "growth True False",
    "['/device:GPU:0', '/device:GPU:1']",
    "[('CPU:0', 256), ('GPU:0', 8), ('GPU:1', 8)]",
]


def test_programs_for_gpus(library, tmp_path):
    done = run_shell(f"TF_CPP_MIN_LOG_LEVEL=0 STAND_IN_NAME=GPU python {ROOT}/tests/custom_ops/gpu_program.py {library}", tmp_path)
    assert done.returncode == 0, done.stderr
    local = "/job:localhost/replica:0/task:0/device:"
    placed = [line for line in done.stdout.splitlines() if f"): {local}" in line]
    assert [line for line in done.stdout.splitlines() if line not in placed] == GPU_LINES
    assert {f"MatMul: (MatMul): {local}GPU:0", f"beside: (Sqrt): {local}GPU:1", f"Tanh: (Tanh): {local}GPU:1",
            f"add: (AddV2): {local}CPU:0"} <= set(placed)
    assert f"{local}GPU:1 -> card 1" in done.stderr


EAGER_LINES = [
    "gpus 2 True",
    "placed [('GPU:0', 'GPU:0'), ('CPU:0', 'CPU:0'), ('GPU:0', 'GPU:0'), ('CPU:0', 'CPU:0'), "
    "('CPU:0', 'CPU:0'), ('CPU:0', 'CPU:0'), ('GPU:0', 'GPU:0')]",
    "values [[7.0, 10.0], [15.0, 22.0]] [[b'1.000000', b'2.000000'], [b'3.000000', b'4.000000']] 54.0 "
    "[[8.0, 12.0], [18.0, 26.0]]",
    "copies [('CPU:0', 'CPU:0'), ('GPU:0', 'GPU:0'), ('GPU:1', 'GPU:1'), ('CPU:0', 'CPU:0')] "
    "[[7.0, 10.0], [15.0, 22.0]] [[1.0, 2.0], [3.0, 4.0]]",
    "other [('GPU:1', 'GPU:1')] True",
    "refused RuntimeError GPU:7 unknown device.",
    "cpu 0",
    "training True [('GPU:0', 'GPU:0'), ('GPU:0', 'GPU:0')] True",
    "late True True", "late True True", "late True True",
    "goes on (2, 2) [('GPU:0', 'GPU:0')]",
    "variable [('GPU:1', 'GPU:1'), ('CPU:0', 'CPU:0')] [2.0, 3.0]",
    "strict True True",
]


def test_eager_execution(library, tmp_path):
    done = run_shell(f"STAND_IN_NAME=GPU python {ROOT}/tests/custom_ops/stand_in_eager.py {library}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == EAGER_LINES


def test_a_card_that_is_lost_anywhere(library, tmp_path):
    assert lines_of("stand_in_faults.py", library, tmp_path) == [
        f"{name} True" for name in ("loop", "pipeline True", "pipeline False", "checkpoints", "partial run")]


def test_graphs_with_branches_and_loops(library, tmp_path):
    *differing, counted = lines_of("stand_in_flow.py", library, tmp_path)
    programs, kernels, errors = (int(part.split()[0]) for part in counted.split(", "))
    assert differing == [] and programs > 40 and kernels > 500 and errors == 0


FILES = ("math_arithmetic", "array_shapes", "nn_layers", "flow_control", "flow_functional", "rnn_dynamic",
         "train_optimizers", "variables_resource", "losses_training", "layers_dense", "train_devices")


def programs_differ(library, folder, stems):
    program = "stand_in_programs.py"
    done = run_shell(f"python {ROOT}/tests/custom_ops/{program} {library} {' '.join(stems)}", folder)
    assert done.returncode == 0, done.stderr
    *differing, counted = done.stdout.splitlines()
    return [line for line in differing if line.startswith("differs")], int(counted.split()[-2])


def test_programs_give_the_same_bits(library, tmp_path):
    differing, kernels = programs_differ(library, tmp_path, FILES)
    assert differing == [] and kernels > 1000


@pytest.mark.long
@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "programs").glob("*_*.py")), ids=lambda path: path.stem)
def test_every_program_gives_the_same_bits(library, tmp_path, path):
    assert programs_differ(library, tmp_path, [path.stem])[0] == []


# Tests of whole trainings, as they are for the CPU. Left out: those that count or name what the CPU does.
TRAINING = ("test_train.py", "test_training_loops.py", "test_estimator.py", "test_keras.py",
            "test_eager_keras.py -k 'not Ftrl'",  # which has no kernel for GPUs
            "test_eager.py")


@pytest.mark.long
@pytest.mark.parametrize("name", TRAINING)
def test_trainings_reach_what_they_reach_on_the_cpu(library, tmp_path, name):
    done = run_shell(f"cd {ROOT} && PYTHONPATH=$PYTHONPATH:{ROOT}/tests/custom_ops STAND_IN_NAME=GPU "
                     f"STAND_IN_LIBRARY={library} python -m pytest -q -p stand_in_plugin -m 'not long and not slow' "
                     f"tests/python/{name}", tmp_path)
    assert done.returncode == 0, done.stdout[-8000:]
    assert int(re.search("kernels on the device: (\\d+)", done.stdout)[1]) > 500


HOST_MEMORY = """
import sys
import tensorflow as tf
tf.load_op_library(sys.argv[1])
ops = tf.load_op_library(sys.argv[2])
with tf.device("/device:GPU:0"):
    x, shape = tf.placeholder(tf.float32), tf.placeholder(tf.int64)
    y = tf.exp(ops.reshape_there(tf.exp(x), tf.identity(shape)))
    z = ops.reshape_there(tf.exp(tf.cast(x, tf.float64)), shape)
with tf.Session() as session:
    print(session.run([y, tf.reduce_sum(z, 1)], {x: [0.0, 0.0], shape: [2, 1]}))
    try:
        session.run(y, {x: [0.0, 0.0], shape: [3]})
    except tf.errors.InvalidArgumentError as error:
        print(error.message.splitlines()[0], "GPU:0" in error.message)
"""


def test_kernels_say_what_lies_in_host_memory(library, tmp_path):
    compiler = Compiler(tmp_path)
    compiler.start("device_kernels.cc", 14)
    (tmp_path / "program.py").write_text(HOST_MEMORY)
    done = run_shell(f"STAND_IN_NAME=GPU python program.py {library} {compiler.result('device_kernels.cc')}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "[array([[2.7182817],", "       [2.7182817]], dtype=float32), array([1., 1.])]", "x has 2 elements True"]
