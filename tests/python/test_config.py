import subprocess
import sys

import numpy as np
import pytest

import rill as tf


def test_settings():
    config = tf.config
    for get, set_, values in (
            (config.get_soft_device_placement, config.set_soft_device_placement, (True, False)),
            (config.threading.get_intra_op_parallelism_threads, config.threading.set_intra_op_parallelism_threads, (3, 0)),
            (config.threading.get_inter_op_parallelism_threads, config.threading.set_inter_op_parallelism_threads, (2, 0)),
            (config.optimizer.get_jit, config.optimizer.set_jit, (True, False)),
            (config.experimental.get_device_policy, config.experimental.set_device_policy, ("warn", "silent")),
            (config.experimental.get_synchronous_execution, config.experimental.set_synchronous_execution, (False, True))):
        assert get() == values[1]
        for value in values:
            set_(value)
            assert get() == value
    with pytest.raises(ValueError, match="Not a valid device policy"):
        config.experimental.set_device_policy("loud")
    config.experimental.set_device_policy(None)


def test_passes():
    options = tf.config.optimizer
    assert options.get_experimental_options() == {"disable_model_pruning": False, "disable_meta_optimizer": False}
    options.set_experimental_options({"constant_folding": True, "no such pass": True})
    assert options.get_experimental_options()["constant_folding"] is True


def lowered_ops(config=None):
    """The ops of a step that multiplies matrices."""
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 64, 64])
        y = tf.matmul(x, x)
        metadata = tf.RunMetadata()
        with tf.Session(config=config) as session:
            session.run(y, {x: np.ones([2, 64, 64], np.float32)},
                        tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
    return " ".join(node.timeline_label for node in metadata.step_stats.dev_stats[0].node_stats)


@pytest.mark.parametrize("name", ["auto_mixed_precision_onednn_bfloat16", "auto_mixed_precision_mkl"])
def test_products_are_lowered_when_asked(name):
    assert "_LoweredBatchMatMul" not in lowered_ops()
    config = tf.ConfigProto()
    setattr(config.graph_options.rewrite_options, name, 1)  # on
    assert "_LoweredBatchMatMul" in lowered_ops(config)
    tf.config.optimizer.set_experimental_options({name: True})
    try:
        assert "_LoweredBatchMatMul" in lowered_ops()
    finally:
        tf.config.optimizer.set_experimental_options({name: False})
    assert "_LoweredBatchMatMul" not in lowered_ops()


def test_devices():
    e = tf.config.experimental
    cpu, = e.list_physical_devices()
    assert cpu == ("/physical_device:CPU:0", "CPU") and cpu.device_type == "CPU"
    assert e.list_physical_devices("GPU") == [] == e.list_logical_devices("GPU")
    assert e.get_visible_devices() == [cpu] and e.get_virtual_device_configuration(cpu) is None
    assert tf.config.experimental_list_devices() == ["/job:localhost/replica:0/task:0/device:CPU:0"]
    e.set_visible_devices([], "GPU")
    e.set_visible_devices(cpu, "CPU")
    assert e.get_visible_devices("CPU") == [cpu]
    with pytest.raises(ValueError, match="Cannot set memory growth on non-GPU"):
        e.set_memory_growth(cpu, True)
    with pytest.raises(KeyError):
        e.get_memory_growth(cpu)
    with pytest.raises(ValueError, match="Unrecognized device"):
        e.set_memory_growth("GPU:0", True)
    with pytest.raises(ValueError, match="Setting memory limit on CPU"):
        e.set_virtual_device_configuration(cpu, [e.VirtualDeviceConfiguration(memory_limit=10)])


def test_what_there_is_not():
    with pytest.raises(tf.errors.UnimplementedError, match="experimental_connect_to_host"):
        tf.config.experimental_connect_to_host("there:80")
    with pytest.raises(tf.errors.UnimplementedError, match="experimental_connect_to_cluster"):
        tf.config.experimental_connect_to_cluster({})
    called = []
    f = tf.function(lambda: called.append(1))
    tf.config.experimental_run_functions_eagerly(True)
    f()
    f()
    tf.config.experimental_run_functions_eagerly(False)
    assert len(called) == 2
    with pytest.raises(tf.errors.NotFoundError):
        tf.load_file_system_library("/nowhere.so")


def test_version_is_one_that_parsers_take():
    import re
    assert re.fullmatch(r"1\.15\.5\+[a-z0-9]+(\.[a-z0-9]+)*", tf.version.VERSION)


def test_experimental():
    with tf.experimental.function_executor_type("SINGLE_THREADED_EXECUTOR"):
        tf.constant(1)
    tf.experimental.output_all_intermediates(True)
    with pytest.raises(ValueError, match="no executor"):
        tf.experimental.function_executor_type("nobody")


def test_a_step_without_kernels_has_statistics():
    from tensorflow.python.client import timeline
    options, metadata = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), tf.RunMetadata()
    with tf.Session() as session:
        session.run(tf.constant(1) + tf.constant(2), options=options, run_metadata=metadata)
        assert [d.device for d in metadata.step_stats.dev_stats] == ["/job:localhost/replica:0/task:0/device:CPU:0"]
        session.run(tf.matmul(tf.random_uniform([2, 2]), tf.ones([2, 64])), options=options, run_metadata=metadata)
    found = timeline.Timeline(metadata.step_stats).analyze_step_stats()
    assert isinstance(found, timeline.StepStatsAnalysis)
    assert found.chrome_trace.format_to_string().startswith('{"traceEvents":[{')
    largest = found.allocator_maximums["cpu"]
    assert isinstance(largest, timeline.AllocationMaximum)
    assert largest.num_bytes >= 512 and "MatMul" in " ".join(largest.tensors)
    without = timeline.Timeline(metadata.step_stats).analyze_step_stats(show_memory=False)
    assert without.allocator_maximums == {}


def outcome_of(program):
    """What a program prints: settings of devices are those of a process."""
    done = subprocess.run([sys.executable, "-c", "import tensorflow as tf\ne = tf.config.experimental\n" + program],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


VIRTUAL_CPUS = """
cpu, = e.list_physical_devices("CPU")
part = e.VirtualDeviceConfiguration()
e.set_virtual_device_configuration(cpu, [part, part])
print(len(e.get_virtual_device_configuration(cpu)), [device.name for device in e.list_logical_devices()])
"""


def test_a_cpu_is_cut_into_several():
    assert outcome_of(VIRTUAL_CPUS + """
print([device.name[-5:] for device in tf.Session().list_devices()])
print(len(tf.Session(config=tf.ConfigProto()).list_devices()))
with tf.device("/cpu:1"):
    print(tf.Session().run(tf.constant(1.0)))
e.set_visible_devices(e.get_visible_devices())
e.set_virtual_device_configuration(cpu, [part, part])  # as it is
for change in (lambda: e.set_virtual_device_configuration(cpu, [part] * 3), lambda: e.set_visible_devices([], "CPU")):
    try:
        change()
    except RuntimeError as error:
        print(error)
try:
    e.set_memory_growth(cpu, True)
except ValueError as error:
    print(error)
""") == ["2 ['/device:CPU:0', '/device:CPU:1']", "['CPU:0', 'CPU:1']", "1", "1.0",
         "Virtual devices cannot be modified after being initialized",
         "Visible devices cannot be modified after being initialized",
         "Cannot set memory growth on device when virtual devices configured"]


def test_devices_of_eager_execution():
    assert outcome_of(VIRTUAL_CPUS + """
tf.enable_eager_execution()
for name in ("/cpu:1", "/gpu:0", "/cpu:7", "/job:ps/cpu:0"):
    try:
        with tf.device(name):
            print(name, (tf.constant(1.0) + 1).device[-5:])
    except tf.errors.InvalidArgumentError as error:
        print(error.message)
tf.config.set_soft_device_placement(False)
try:
    with tf.device("/gpu:0"):
        tf.constant(1.0) + 1
except tf.errors.InvalidArgumentError as error:
    print(error.message)
try:
    with tf.device(lambda op: "/cpu:0"):
        pass
except RuntimeError as error:
    print(error)
""")[1:] == ["/cpu:1 CPU:1", "/gpu:0 CPU:0", "/cpu:7 CPU:0",
             "/job:ps/replica:0/task:0/device:CPU:0 unknown device.",
             "/job:localhost/replica:0/task:0/device:GPU:0 unknown device.",
             "tf.device does not support functions when eager execution is enabled."]


def test_settings_of_sessions_without_options():
    assert outcome_of("""
tf.config.set_soft_device_placement(True)
with tf.device("/gpu:3"):
    x = tf.constant(2.0) * 3
print(tf.Session().run(x))
try:
    tf.Session(config=tf.ConfigProto()).run(x)
except tf.errors.InvalidArgumentError as error:
    print("/device:GPU:3" in error.message)
""") == ["6.0", "True"]
