"""Prints how many mebibytes saving and restoring a model take beyond the model, the most at any time.

usage: file_memory.py rill|tensorflow FOLDER MEBIBYTES [TENSORS [SHARDS]]

Runs in a process of its own, because what a process once had it may keep. The model is there before, as
reference variables and resource variables in turn; it is saved, and restored into its own memory.
"""
import sys

FRAMEWORK, FOLDER, MEBIBYTES = sys.argv[1], sys.argv[2], int(sys.argv[3])
TENSORS = int(sys.argv[4]) if len(sys.argv) > 4 else 32
SHARDED = len(sys.argv) > 5

if FRAMEWORK == "tensorflow":
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
else:
    import tensorflow as tf


def memory(name):
    """A line of the process's status, in mebibytes: VmRSS now, VmHWM the most so far."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name)) / 1024


def taken_by(work):
    with open("/proc/self/clear_refs", "w") as forget:  # makes the peak what is there now
        forget.write("5")
    before = memory("VmRSS")
    work()
    return memory("VmHWM") - before


def device_of(i):
    return f"/cpu:{i % 2}" if SHARDED else None


def main():
    rows = MEBIBYTES * 256 // TENSORS
    for i in range(TENSORS):
        with tf.device(device_of(i)):
            # Values that are made when the step runs, and not constants of the graph.
            tf.get_variable(f"v{i}", initializer=tf.random_uniform([rows, 1024], i, i + 0.5),
                            use_resource=i % 2 == 1)
    saver = tf.train.Saver(sharded=SHARDED)
    config = tf.ConfigProto(device_count={"CPU": 2 if SHARDED else 1})
    with tf.Session(config=config) as session:
        start = memory("VmRSS")
        session.run(tf.global_variables_initializer())
        print("model", memory("VmRSS") - start)
        print("save", taken_by(lambda: saver.save(session, f"{FOLDER}/model")))
        print("restore", taken_by(lambda: saver.restore(session, f"{FOLDER}/model")))
        last = tf.global_variables()[-1]
        assert int(session.run(last[rows - 1, 1023])) == TENSORS - 1


if __name__ == "__main__":
    main()
