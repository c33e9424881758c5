"""Runs programs of tests/programs on the CPU, and again when a library has added its device: values and
errors must be the same to the bit. Arguments: the library, then stems of files."""
import ctypes
import os
import pathlib
import sys

os.environ["RILL_REWRITES_OFF"] = "all"  # the same kernels on both
PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"
sys.path.insert(0, str(PROGRAMS))

import program  # noqa: E402
import tensorflow as tf  # noqa: E402

CHANGES = "reads a variable in the step that changes it: before or after is not said"
NO_KERNEL = "GPUs have no kernel of its optimizer, whose variable is there before the model is compiled"
# Programs that are different on another device.
ASK_FOR_DEVICES = {
    "session_runs.config": "lists the devices",
    "session_runs.partitions": "shows the graphs of the devices",
    "estimator_evaluate.local_variables_of_the_model": CHANGES,
    "estimator_export.eval_mode": CHANGES,
    "training_monitored.names_are_fetched": CHANGES,
    "estimator_inputs_used.numpy_shuffled": "sums in an order that is drawn anew",
    "keras_training.optimizer_ftrl": NO_KERNEL,
    "keras_training.rows_sgd_momentum": NO_KERNEL,
    "keras_training.rows_rmsprop_momentum": NO_KERNEL,
    "keras_training.rows_adadelta": NO_KERNEL,
    "keras_training.rows_ftrl": NO_KERNEL,
}


def outcome(run):
    try:
        values = run()["values"]
    except Exception as error:
        return type(error).__name__
    return {name: bits(program.restore(value)) for name, value in values.items()}


def bits(value):
    if isinstance(value, list):
        return [bits(part) for part in value]
    return str(value.dtype), value.shape, value.tolist() if value.dtype == object else value.tobytes()


def main(library, *stems):
    files = [PROGRAMS / f"{stem}.py" for stem in stems]
    on_cpu = {path.stem: {name: outcome(run) for name, run in program.load(path).items()} for path in files}
    tf.load_op_library(library)
    kernels_run = ctypes.CDLL(library).stand_in_kernels_run
    count = 0
    for path in files:
        for name, run in program.load(path).items():
            full = f"{path.stem}.{name}"
            if full in ASK_FOR_DEVICES:
                continue
            count += 1
            there, here = outcome(run), on_cpu[path.stem][name]
            if there != here:
                both = isinstance(there, dict) and isinstance(here, dict)
                print("differs:", full, [key for key in here if here[key] != there.get(key)] if both else there)
    print(count, "programs,", kernels_run(), "kernels")


main(*sys.argv[1:])
