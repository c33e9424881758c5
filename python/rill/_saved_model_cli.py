"""saved_model_cli: TensorFlow's command line over `rill show` and a session that runs a signature."""

import argparse
import ast
import os
import pickle
import subprocess
import sys

import numpy as np

from rill import _command


def _show(args):
    options = ["--all"] if args.all else []
    for name in ("tag_set", "signature_def"):
        if getattr(args, name):
            options += [f"--{name}", getattr(args, name)]
    if not options:
        options = ["--tag_sets"]
    return subprocess.call([_command.program(), "show", *options, args.dir])


def _scan(args):
    tags = ["--tag_set", args.tag_set] if args.tag_set else []
    return subprocess.call([_command.program(), "show", "--scan", *tags, args.dir])


def _pairs(text):
    for item in filter(None, (text or "").split(";")):
        key, equals, value = item.partition("=")
        if not equals:
            raise RuntimeError(f'"{item}" is not in the form "input_key=value".')
        yield key.strip(), value


def _from_file(value):
    path, _, variable = value.partition("[")
    variable = variable.rstrip("]")
    loaded = pickle.load(open(path, "rb")) if not path.endswith((".npy", ".npz")) else np.load(path)
    if isinstance(loaded, np.ndarray):
        return loaded
    names = list(loaded.keys())
    if not variable and len(names) != 1:
        raise RuntimeError(f"Input file {path} contains more than one ndarrays. Please specify the name of ndarray "
                           "to use.")
    return loaded[variable or names[0]]


def _example(features):
    import rill as tf
    kinds = {float: ("float_list", lambda v: v), int: ("int64_list", lambda v: v),
             str: ("bytes_list", str.encode), bytes: ("bytes_list", lambda v: v)}
    example = tf.train.Example()
    for name, values in features.items():
        if not isinstance(values, list):
            raise ValueError("feature value must be a list, but got " + type(values).__name__)
        field, convert = kinds[type(values[0])]
        getattr(example.features.feature[name], field).value.extend(map(convert, values))
    return example.SerializeToString()


def _expression(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return eval(text, {"np": np, "numpy": np})  # the user's own words, as in TensorFlow's tool


def _inputs(args):
    values = {key: _from_file(value) for key, value in _pairs(args.inputs)}
    values.update((key, _expression(value)) for key, value in _pairs(args.input_exprs))
    values.update((key, [_example(item) for item in ast.literal_eval(value)])
                  for key, value in _pairs(args.input_examples))
    if not values:
        raise AttributeError("At least one of --inputs, --input_exprs or --input_examples must be required")
    return values


def _run(args):
    import rill as tf
    values = _inputs(args)
    with tf.Session(graph=tf.Graph()) as session:
        model = tf.saved_model.load(session, args.tag_set.split(","), args.dir)
        if args.signature_def not in model.signature_def:
            raise ValueError(f'Could not find signature "{args.signature_def}". Please choose from: '
                             + ", ".join(sorted(model.signature_def)))
        signature = model.signature_def[args.signature_def]
        unknown = [key for key in values if key not in signature.inputs]
        if unknown:
            choices = ", ".join(f'"{key}"' for key in sorted(signature.inputs))
            raise ValueError(f'"{unknown[0]}" is not a valid input key. Please choose from {choices}, '
                             "or use --show option.")
        feeds = {signature.inputs[key].name: value for key, value in values.items()}
        keys = sorted(signature.outputs)
        results = session.run([signature.outputs[key].name for key in keys], feeds)
    for key, result in zip(keys, results):
        print(f"Result for output key {key}:\n{result}")
        if not args.outdir:
            continue
        os.makedirs(args.outdir, exist_ok=True)
        path = os.path.join(args.outdir, key + ".npy")
        if os.path.exists(path) and not args.overwrite:
            raise RuntimeError(f"Output file {path} already exists. Add \"--overwrite\" to overwrite "
                               "the existing output files.")
        np.save(path, result)
        print(f"Output {key} is saved to {path}")
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="saved_model_cli", description="Looks at and runs SavedModels.")
    parser.add_argument("-v", "--version", action="version", version="0.1.0")
    commands = parser.add_subparsers(dest="command")
    show = commands.add_parser("show", help="say what a model can be asked for")
    show.add_argument("--all", action="store_true")
    show.set_defaults(work=_show)
    run = commands.add_parser("run", help="run a signature and print or save its outputs")
    for option in ("--inputs", "--input_exprs", "--input_examples", "--outdir"):
        run.add_argument(option, default="")
    for option in ("--overwrite", "--tf_debug", "--init_tpu"):
        run.add_argument(option, action="store_true")
    run.add_argument("--worker")
    run.set_defaults(work=_run)
    scan = commands.add_parser("scan", help="find ops that reach for files")
    scan.set_defaults(work=_scan)
    for command in (show, run, scan):
        command.add_argument("--dir", required=True)
        command.add_argument("--tag_set", required=command is run)
    for command in (show, run):
        command.add_argument("--signature_def", required=command is run)
    return parser


def main():
    parser = _parser()
    args = parser.parse_args()
    if args.command is None:
        parser.error("too few arguments")
    return args.work(args)


if __name__ == "__main__":
    sys.exit(main())
