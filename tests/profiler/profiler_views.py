"""Views of the models of profiler_models.py, and the options under which they are shown."""

COMMANDS = ("scope", "op", "graph", "code")
_DEFAULTS = {"max_depth": 10000, "order_by": "name", "account_type_regexes": [".*"], "start_name_regexes": [".*"],
             "show_name_regexes": [".*"], "select": ["micros"], "step": -1}
_ALL = ["bytes", "micros", "params", "float_ops", "device", "op_types", "occurrence", "input_shapes",
        "accelerator_micros", "cpu_micros", "peak_bytes", "residual_bytes", "output_bytes"]
_VARIANTS = [
    {},
    {"max_depth": 2},
    {"max_depth": 0},
    {"step": 0},
    {"select": ["params"]},
    {"select": []},
    {"select": ["device", "op_types"]},
    {"select": ["occurrence"], "min_residual_bytes": 1},
    {"select": ["float_ops"], "min_float_ops": 1, "order_by": "float_ops"},
    {"select": ["float_ops"], "min_float_ops": 1, "order_by": "float_ops", "account_displayed_op_only": True},
    {"select": ["params"], "account_type_regexes": ["_trainable_variables"]},
    {"select": ["params"], "account_type_regexes": ["_trainable_variables"], "account_displayed_op_only": True},
    {"select": ["micros", "bytes"], "order_by": "micros", "min_micros": 1, "min_bytes": 1,
     "account_displayed_op_only": True},
    {"select": ["micros"], "max_depth": 4, "order_by": "cpu_micros", "min_cpu_micros": 5},
    {"select": ["micros"], "min_accelerator_micros": 1},
    {"select": ["bytes"], "order_by": "bytes", "min_peak_bytes": 10},
    {"order_by": "peak_bytes", "min_output_bytes": 8},
    {"order_by": "occurrence"},
    {"min_occurrence": 2},
    {"min_params": 10},
    {"show_name_regexes": [".*net.*"]},
    {"show_name_regexes": [".*net.*"], "account_displayed_op_only": True},
    {"hide_name_regexes": [".*deep.*"]},
    {"hide_name_regexes": [".*deep.*"], "account_displayed_op_only": True},
    {"start_name_regexes": ["net.*", ".*grad.*"]},
    {"start_name_regexes": ["net.*"], "account_displayed_op_only": True},
    {"trim_name_regexes": ["net/deep", ".*MatMul.*"]},
    {"trim_name_regexes": ["net"], "account_displayed_op_only": True},
    {"account_type_regexes": ["MatMul", "VariableV2"]},
    {"account_type_regexes": ["MatMul", "VariableV2"], "account_displayed_op_only": True, "order_by": "params"},
]


def views(steps):
    """(name, command, options) of each view of a model with so many traced steps."""
    for number, changes in enumerate(_VARIANTS):
        options = {**_DEFAULTS, "select": _ALL, **changes}
        for command in COMMANDS:
            if options["step"] >= steps or (command == "code" and options["max_depth"] == 0):
                continue  # TensorFlow's own ends the process
            yield f"{command} {number}", command, options
