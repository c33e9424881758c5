"""TensorFlow's command lines over its tools for graphs, models and checkpoints; the wheel installs them."""

import argparse
import sys

from rill import _graph_tools


def _is_true(text):
    return text.lower() == "true"


def _parser(name, about, **options):
    """A parser for options that are texts, or flags where the default is True or False."""
    parser = argparse.ArgumentParser(prog=name, description=about)
    for option, default in options.items():
        if isinstance(default, bool):
            parser.add_argument("--" + option, nargs="?", const=True, default=default, type=_is_true)
        else:
            parser.add_argument("--" + option, default=default, type=type(default))
    return parser


def _numpy_option(text):
    """Sets one of NumPy's print options, "name=value"."""
    import numpy as np
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"'{text}' is not in the form k=v.")
    known = np.get_printoptions()
    if name not in known:
        raise argparse.ArgumentTypeError(f"'{name}' is not a valid printoption.")
    if known[name] is None:
        raise argparse.ArgumentTypeError(f"Setting '{name}' from the command line is not supported.")
    kind = type(known[name])
    try:
        np.set_printoptions(**{name: _is_true(value) if kind is bool else kind(value)})
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def inspect_checkpoint(arguments=None):
    """TensorFlow's inspect_checkpoint: what a checkpoint holds."""
    parser = _parser("inspect_checkpoint", "Prints what a checkpoint holds.", file_name="", tensor_name="",
                     all_tensors=False, all_tensor_names=False, count_exclude_pattern="")
    parser.add_argument("--printoptions", nargs="*", type=_numpy_option)
    flags = parser.parse_args(arguments)
    if not flags.file_name:
        print("Usage: inspect_checkpoint --file_name=checkpoint_file_name [--tensor_name=tensor_to_print] "
              "[--all_tensors] [--all_tensor_names] [--printoptions]")
        return 1
    _graph_tools.print_tensors_in_checkpoint_file(
        flags.file_name, flags.tensor_name, flags.all_tensors, flags.all_tensor_names,
        count_exclude_pattern=flags.count_exclude_pattern)
    return 0


def optimize_for_inference(arguments=None):
    """TensorFlow's optimize_for_inference."""
    flags = _parser("optimize_for_inference", "Takes out of a graph what only training needs.", input="",
                    output="", input_names="", output_names="", frozen_graph=True, placeholder_type_enum="1",
                    toco_compatible=False).parse_args(arguments)
    graph = _graph_tools.optimize_for_inference(
        _graph_tools.read_graph(flags.input, flags.frozen_graph), flags.input_names.split(","),
        flags.output_names.split(","), list(map(int, flags.placeholder_type_enum.split(","))),
        flags.toco_compatible)
    _graph_tools.write_graph(graph, flags.output, flags.frozen_graph)
    return 0


def strip_unused(arguments=None):
    """TensorFlow's strip_unused."""
    flags = _parser("strip_unused", "Keeps what the outputs need.", input_graph="", input_binary=False,
                    output_graph="", output_binary=True, input_node_names="", output_node_names="",
                    placeholder_type_enum=1).parse_args(arguments)
    failed = _graph_tools.strip_unused_from_files(
        flags.input_graph, flags.input_binary, flags.output_graph, flags.output_binary,
        flags.input_node_names, flags.output_node_names, flags.placeholder_type_enum)
    return 1 if failed else 0


def transform_graph(arguments=None):
    """TensorFlow's transform_graph."""
    flags = _parser("transform_graph", "Rewrites a graph.", in_graph="", out_graph="", inputs="", outputs="",
                    transforms="", output_as_text=False).parse_args(arguments)
    for name in ("in_graph", "out_graph", "transforms"):
        if not getattr(flags, name):
            print(f"{name} graph can't be empty." if name != "transforms"
                  else "You must specify at least one transform.", file=sys.stderr)
            return 1
    names = [[name for name in text.split(",") if name] for text in (flags.inputs, flags.outputs)]
    graph = _graph_tools.TransformGraph(_graph_tools.read_graph(flags.in_graph), *names, [flags.transforms])
    _graph_tools.write_graph(graph, flags.out_graph, not flags.output_as_text)
    return 0


def import_to_tensorboard(model_dir, log_dir, tag_set):
    """Writes the graph of a SavedModel into an event file, for TensorBoard to show."""
    import rill as tf
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(_graph_tools.get_meta_graph_def(model_dir, tag_set).graph_def)
        tf.summary.FileWriter(log_dir, graph).close()
    print(f"Model Imported. Visualize by running: tensorboard --logdir={log_dir}")


def import_pb_to_tensorboard(arguments=None):
    """TensorFlow's import_pb_to_tensorboard."""
    parser = _parser("import_pb_to_tensorboard", "Shows the graph of a SavedModel in TensorBoard.",
                     tag_set="serve")
    for option in ("--model_dir", "--log_dir"):
        parser.add_argument(option, required=True)
    flags = parser.parse_args(arguments)
    import_to_tensorboard(flags.model_dir, flags.log_dir, flags.tag_set)
    return 0


_COMMANDS = {command.__name__: command for command in (
    import_pb_to_tensorboard, inspect_checkpoint, optimize_for_inference, strip_unused, transform_graph)}

if __name__ == "__main__":
    sys.exit(_COMMANDS[sys.argv[1]](sys.argv[2:]))


def offline_analyzer(arguments=None):
    """TensorFlow's offline_analyzer: tfdbg's command line over what a run dumped."""
    flags, _ = _parser("offline_analyzer", "Looks at what a run dumped.", dump_dir="", ui_type="curses", log_usage=True,
                       validate_graph=True).parse_known_args(arguments)
    if not flags.dump_dir:
        print("ERROR: dump_dir flag is empty.", file=sys.stderr)
        return 1
    from rill import _rill
    from rill._tfdbg_data import DebugDumpDir
    from rill._tfdbg_eval import evaluate
    print(f"tfdbg offline: FLAGS.dump_dir = {flags.dump_dir}")
    dumps = DebugDumpDir(flags.dump_dir, validate=flags.validate_graph)
    _rill.browse_dumps(dumps._core, flags.ui_type, evaluate, None)
    return 0
