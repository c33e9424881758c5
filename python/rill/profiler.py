"""tf.profiler: what the time, the memory and the parameters of a model go into."""

import copy as _copy
import sys as _sys

from google.protobuf.message import DecodeError as _DecodeError

from rill import _rill
from rill.proto import module as _proto_module

_output = _proto_module("tensorflow/core/profiler/tfprof_output.proto")
_OptionsProto = _proto_module("tensorflow/core/profiler/tfprof_options.proto").OptionsProto
OpLogProto = _proto_module("tensorflow/core/profiler/tfprof_log.proto").OpLogProto
AdviceProto = _output.AdviceProto
GraphNodeProto = _output.GraphNodeProto
MultiGraphNodeProto = _output.MultiGraphNodeProto

_ALL_ADVICE = {"ExpensiveOperationChecker": {}, "AcceleratorUtilizationChecker": {}, "JobChecker": {},
              "OperationChecker": {}}

_DEFAULTS = {
    "max_depth": 100, "min_bytes": 0, "min_micros": 0, "min_params": 0, "min_float_ops": 0, "min_occurrence": 0,
    "order_by": "name", "account_type_regexes": [".*"], "start_name_regexes": [".*"], "trim_name_regexes": [],
    "show_name_regexes": [".*"], "hide_name_regexes": [], "account_displayed_op_only": False,
    "select": ["micros"], "step": -1, "output": "stdout"}


def _preset(**changes):
    return _copy.deepcopy(_DEFAULTS) | {"max_depth": 10000, "account_displayed_op_only": True} | changes


class ProfileOptionBuilder:
    """Options of a profile, one call after the other: ProfileOptionBuilder().with_max_depth(5).build()."""

    def __init__(self, options=None):
        self._options = _copy.deepcopy(_DEFAULTS if options is None else options)

    @staticmethod
    def trainable_variables_parameter():
        """How many parameters the trainable variables have."""
        return _preset(account_type_regexes=["_trainable_variables"], select=["params"])

    @staticmethod
    def float_operation():
        """How many floating-point operations the nodes take whose shapes are known."""
        return _preset(min_float_ops=1, order_by="float_ops", select=["float_ops"])

    @staticmethod
    def time_and_memory(min_micros=1, min_bytes=1, min_accelerator_micros=0, min_cpu_micros=0, min_peak_bytes=0,
                        min_residual_bytes=0, min_output_bytes=0):
        """What the nodes of a traced step took."""
        return _preset(min_micros=min_micros, min_bytes=min_bytes, min_accelerator_micros=min_accelerator_micros,
                       min_cpu_micros=min_cpu_micros, min_peak_bytes=min_peak_bytes,
                       min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes,
                       order_by="micros", select=["micros", "bytes"])

    def build(self):
        """A copy of the options, for tf.profiler.profile."""
        return _copy.deepcopy(self._options)

    def _set(self, **changes):
        self._options.update(changes)
        return self

    def with_max_depth(self, max_depth):
        """How deep trees are shown, and how long the list of ops is."""
        return self._set(max_depth=max_depth)

    def with_min_memory(self, min_bytes=0, min_peak_bytes=0, min_residual_bytes=0, min_output_bytes=0):
        """Shows what took at least so many bytes."""
        return self._set(min_bytes=min_bytes, min_peak_bytes=min_peak_bytes,
                         min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes)

    def with_min_execution_time(self, min_micros=0, min_accelerator_micros=0, min_cpu_micros=0):
        """Shows what took at least so long."""
        return self._set(min_micros=min_micros, min_accelerator_micros=min_accelerator_micros,
                         min_cpu_micros=min_cpu_micros)

    def with_min_parameters(self, min_params):
        """Shows what has at least so many parameters."""
        return self._set(min_params=min_params)

    def with_min_occurrence(self, min_occurrence):
        """Shows what is there at least so often."""
        return self._set(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops):
        """Shows what takes at least so many floating-point operations."""
        return self._set(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes):
        """Counts only nodes whose op, device or type matches."""
        return self._set(account_type_regexes=_copy.copy(account_type_regexes))

    def with_node_names(self, start_name_regexes=None, show_name_regexes=None, hide_name_regexes=None,
                        trim_name_regexes=None):
        """Where views begin and end, and what of them is shown."""
        names = {"start_name_regexes": start_name_regexes, "show_name_regexes": show_name_regexes,
                 "hide_name_regexes": hide_name_regexes, "trim_name_regexes": trim_name_regexes}
        return self._set(**{name: _copy.copy(regexes) for name, regexes in names.items() if regexes is not None})

    def order_by(self, attribute):
        """The figure after which rows are sorted, or "name"."""
        return self._set(order_by=attribute)

    def select(self, attributes):
        """The figures that are shown."""
        return self._set(select=_copy.copy(attributes))

    def with_step(self, step):
        """One step; -1 is the mean of all."""
        return self._set(step=step)

    def account_displayed_op_only(self, is_true):
        """Whether sums leave out what is not shown."""
        return self._set(account_displayed_op_only=is_true)

    def with_empty_output(self):
        """Shows nothing."""
        return self._set(output="none")

    def with_stdout_output(self):
        """Prints the view."""
        return self._set(output="stdout")

    def with_file_output(self, outfile):
        """Writes the view to a file."""
        return self._set(output=f"file:outfile={outfile}")

    def with_timeline_output(self, timeline_file):
        """Writes pages for Chrome's trace viewer: `timeline_file`_STEP."""
        return self._set(output=f"timeline:outfile={timeline_file}")

    def with_flame_graph_output(self, svg_file):
        """Writes a picture of where the one selected figure goes; not in TensorFlow."""
        return self._set(output=f"flame:outfile={svg_file}")

    def with_pprof_output(self, pprof_file):
        """Writes a file for pprof."""
        return self._set(output=f"pprof:outfile={pprof_file}")


def _text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def _options_proto(options):
    """The message of a dict; what it does not name is 0 or empty."""
    message = _OptionsProto(max_depth=options.get("max_depth", 10), step=options.get("step", -1),
                            order_by=_text(options.get("order_by", "name")),
                            output=_text(options.get("output", "stdout")))
    for name, value in options.items():
        if name in ("max_depth", "step", "order_by", "output") or name not in _OptionsProto.DESCRIPTOR.fields_by_name:
            continue
        if isinstance(value, (list, tuple, set)):
            getattr(message, name).extend(map(_text, value))
        else:
            setattr(message, name, value)
    return message


def _default_op_log(graph, run_meta=None, op_log=None, add_trace=True):
    trainable = [variable.op.name for variable in graph.get_collection(_rill.graph_keys.TRAINABLE_VARIABLES)
                 if hasattr(variable, "op")]
    return _rill.op_log(graph, trainable, run_meta, op_log, bool(add_trace))


def write_op_log(graph, log_dir, op_log=None, run_meta=None, add_trace=True):
    """Writes `log_dir`/tfprof_log, what the program knows of the nodes, for `rill profile --op_log_path`."""
    from rill import gfile

    graph = graph or _rill.get_default_graph()
    log = _default_op_log(graph, run_meta, op_log, add_trace)
    gfile.MakeDirs(log_dir)
    with gfile.GFile(f"{_text(log_dir)}/tfprof_log", "wb") as file:
        file.write(log)


_MESSAGES = {"scope": GraphNodeProto, "graph": GraphNodeProto, "op": MultiGraphNodeProto,
             "code": MultiGraphNodeProto}


def _parsed(kind, message):
    """Messages nest as rows do, and protobuf reads a hundred levels: as in TensorFlow, deeper ones are not returned."""
    try:
        return kind.FromString(message)
    except _DecodeError as error:
        _sys.stderr.write(f"Cannot parse returned proto: {error}.\n")
        return kind()


class Profiler:
    """Steps of a graph, looked at again and again: add_step(number, run_metadata), then any view."""

    def __init__(self, graph=None, op_log=None):
        self._graph = graph or _rill.get_default_graph()
        self._model = _rill.ProfiledModel()
        self._model.add_graph(self._graph.as_graph_def(add_shapes=True))
        self._model.add_op_log(_default_op_log(self._graph, op_log=op_log))

    def add_step(self, step, run_meta):
        """Adds what a session traced into `run_meta`."""
        self._model.add_graph(self._graph.as_graph_def(add_shapes=True))
        self._model.add_op_log(_default_op_log(self._graph, run_meta))
        self._model.add_step(int(step), run_meta)

    def _profile(self, command, options):
        if command == "code" and not self._model.has_traces:
            return MultiGraphNodeProto()
        report, message = self._model.look(command, _options_proto(options))
        _sys.stdout.write(report)
        return _parsed(_MESSAGES[command], message)

    def profile_python(self, options):
        """By the lines of the program."""
        return self._profile("code", options)

    def profile_operations(self, options):
        """By ops."""
        return self._profile("op", options)

    def profile_name_scope(self, options):
        """By name scopes."""
        return self._profile("scope", options)

    def profile_graph(self, options):
        """By the graph: each node above its inputs."""
        return self._profile("graph", options)

    def advise(self, options):
        """What the checkers named in `options`, a dict like _ALL_ADVICE, say."""
        return _advise(self._model, options)

    def serialize_to_string(self):
        """A ProfileProto, which `rill profile --profile_path` reads."""
        return self._model.serialize()


def _advise(model, options):
    if not options:
        return AdviceProto()
    text, message = model.advise(set(map(_text, options)))
    _sys.stdout.write(text)
    return AdviceProto.FromString(message)


def _one_look(graph, run_meta, op_log=None):
    profiler = Profiler(graph, op_log)
    if run_meta is not None:
        profiler.add_step(0, run_meta)
    return profiler


def profile(graph=None, run_meta=None, op_log=None, cmd="scope", options=0):
    """Shows a view of a graph, with times and memory where `run_meta` has a traced step, and returns it."""
    profiler = _one_look(graph, run_meta, op_log)
    return profiler._profile(_text(cmd), ProfileOptionBuilder.trainable_variables_parameter() if options == 0 else options)


def advise(graph=None, run_meta=None, options=0):
    """What looks slow in a graph and a traced step of it."""
    return _one_look(graph, run_meta).advise(_ALL_ADVICE if options == 0 else options)
