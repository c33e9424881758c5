#!/usr/bin/env python3
"""Traces tests/profiler's models under TensorFlow and stores graphs, steps, op logs and what its profiler shows of
them in tests/golden/profiler.json.xz.

Run by the Python of an environment with TensorFlow 2.15, as `./do goldens` does.
"""
import base64
import json
import lzma
import os
import pathlib
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow.compat.v1 as tf  # noqa: E402
from tensorflow.core.profiler import tfprof_options_pb2  # noqa: E402
from tensorflow.python.profiler import tfprof_logger  # noqa: E402
from tensorflow.python.util import _pywrap_tfprof as tfprof  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "profiler.json.xz"
sys.path.insert(0, str(ROOT / "tests" / "profiler"))

from profiler_models import MODELS  # noqa: E402
from profiler_views import views  # noqa: E402


def traced(model):
    """The graph, its op log and its steps as bytes."""
    tf.reset_default_graph()
    fetches, feeds, steps = model(tf)
    metadata = [tf.RunMetadata() for _ in range(steps)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in metadata:
            session.run(fetches, feeds, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), step)
    graph = tf.get_default_graph()
    log = tfprof_logger.merge_default_with_oplog(graph, None, metadata[0] if steps else None)
    return (graph.as_graph_def(add_shapes=True).SerializeToString(), log.SerializeToString(),
            [step.SerializeToString() for step in metadata])


def shown(command, options, folder):
    """What the profiler writes after "Profile:"."""
    message = tfprof_options_pb2.OptionsProto(output=f"file:outfile={folder}/view")
    for name, value in options.items():
        if isinstance(value, list):
            getattr(message, name).extend(value)
        else:
            setattr(message, name, value)
    tfprof.Profile(command.encode(), message.SerializeToString())
    text = pathlib.Path(folder, "view").read_text()
    return text.partition("Profile:\n")[2]


def main():
    tf.disable_v2_behavior()
    goldens = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, model in MODELS.items():
            graph, log, steps = traced(model)
            tfprof.NewProfiler(graph, log)
            for number, step in enumerate(steps):
                tfprof.AddStep(number, graph, step, log)
            goldens[name] = {
                "graph": base64.b64encode(graph).decode(), "op_log": base64.b64encode(log).decode(),
                "steps": [base64.b64encode(step).decode() for step in steps],
                "views": {view: shown(command, options, folder)
                          for view, command, options in views(len(steps))}}
            tfprof.DeleteProfiler()
    GOLDEN.write_bytes(lzma.compress(json.dumps(goldens, sort_keys=True).encode(), preset=9))
    print(f"{sum(len(golden['views']) for golden in goldens.values())} views, {GOLDEN.stat().st_size} bytes")


if __name__ == "__main__":
    main()
