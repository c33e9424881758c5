"""Programs as people write them for GPUs, on a device of a library that is called GPU: argument 1."""
import sys

import numpy as np
import tensorflow as tf
from tensorflow.python.client import device_lib

tf.load_op_library(sys.argv[1])
print("gpu", tf.test.is_gpu_available(), tf.test.gpu_device_name())
print([device.name for device in tf.config.experimental.list_physical_devices("GPU")])
print([(device.name, device.memory_limit >> 20) for device in device_lib.list_local_devices()])


def devices(**gpu_options):
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(**gpu_options))
    with tf.Session(config=config) as session:
        return [(device.name[-5:], device.memory_limit_bytes >> 20) for device in session.list_devices()]


def virtual(*megabytes):
    experimental = tf.GPUOptions.Experimental
    return experimental(virtual_devices=[experimental.VirtualDevices(memory_limit_mb=megabytes)])


print("visible", devices(visible_device_list="1"))
print("fraction", devices(per_process_gpu_memory_fraction=0.5))
print("virtual", devices(visible_device_list="0", experimental=virtual(16, 32)))
for wrong in ({"visible_device_list": "7"}, {"visible_device_list": "a"}):
    try:
        devices(**wrong)
    except tf.errors.InvalidArgumentError as error:
        print("refused", error.message)
print("all", devices(visible_device_list="0,1"))
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as session:
    print("none", len(session.list_devices()))

with tf.device("/gpu:0"):
    x = tf.random_normal([64, 64], seed=1)
    v = tf.get_variable("v", initializer=np.ones((64, 64), "f"))
    y = tf.matmul(x, v)
with tf.device(lambda op: "/gpu:1" if op.type == "Tanh" else "/cpu:0"):
    z = tf.tanh(y) + 1
with tf.device("/gpu:1"):
    far = tf.get_variable("far", initializer=4.0)
with tf.colocate_with(far.op):
    beside = tf.sqrt(tf.constant(4.0), name="beside")
metadata = tf.RunMetadata()
with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as session:
    session.run([v.initializer, far.initializer])
    print("colocated", session.run(beside))
    session.run(z.op, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    with tf.device("/gpu:0"):
        most = tf.contrib.memory_stats.MaxBytesInUse()
    print("memory", session.run(most) >= 2 * 64 * 64 * 4, session.run(tf.contrib.memory_stats.BytesLimit()))
for stats in metadata.step_stats.dev_stats:
    ran = {node.node_name: [use.allocator_name for use in node.memory] for node in stats.node_stats}
    print(stats.device[-5:], [name for name in ("MatMul", "Tanh", "add") if name in ran], ran.get("MatMul"))


def elements(dataset, device):
    iterator = dataset.make_initializable_iterator()
    element = iterator.get_next()
    with tf.device(device):
        doubled = element * 2.0
    with tf.Session() as session:
        session.run(iterator.initializer)
        found = []
        try:
            while True:
                found.append(float(session.run(doubled)))
        except tf.errors.OutOfRangeError:
            return iterator.initializer.colocation_groups() != [], found


numbers = tf.data.Dataset.range(4).map(lambda i: tf.cast(i, tf.float32))
print("prefetched", elements(numbers.apply(tf.data.experimental.prefetch_to_device("/gpu:0")), "/gpu:0"))
print("copied", elements(numbers.apply(tf.data.experimental.copy_to_device("/gpu:1")), "/gpu:1"))

from tensorflow.python.data.ops import multi_device_iterator_ops  # noqa: E402

shared = multi_device_iterator_ops.MultiDeviceIterator(numbers, ["/gpu:0", "/gpu:1"])
first, second = shared.get_next()
with tf.Session() as session:
    session.run(shared.initializer)
    print("dealt", [session.run([first, second]) for _ in range(2)], first.device, second.device)

config = tf.config.experimental
one, other = config.list_physical_devices("GPU")
config.set_memory_growth(one, True)
print("growth", config.get_memory_growth(one), config.get_memory_growth(other))
config.set_visible_devices(other, "GPU")
part = config.VirtualDeviceConfiguration(memory_limit=8)
config.set_virtual_device_configuration(other, [part, part])
print([device.name for device in config.list_logical_devices("GPU")])
with tf.Session() as session:
    print([(device.name[-5:], device.memory_limit_bytes >> 20) for device in session.list_devices()])
