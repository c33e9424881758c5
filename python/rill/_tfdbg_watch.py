"""What a run watches: tf_debug.watch_graph and its kin fill the debug_options of RunOptions."""

from rill import _rill


def add_debug_tensor_watch(run_options, node_name, output_slot=0, debug_ops="DebugIdentity", debug_urls=None,
                           tolerate_debug_op_creation_failures=False, global_step=-1):
    """Watches one output of a node."""
    run_options.debug_options.global_step = global_step
    run_options.debug_options.debug_tensor_watch_opts.add(
        node_name=node_name, output_slot=output_slot,
        debug_ops=[debug_ops] if isinstance(debug_ops, str) else list(debug_ops),
        debug_urls=[] if debug_urls is None else [debug_urls] if isinstance(debug_urls, str) else list(debug_urls),
        tolerate_debug_op_creation_failures=tolerate_debug_op_creation_failures)


def _watch(run_options, graph, debug_ops, debug_urls, patterns, denies, tolerates, global_step, resets):
    if isinstance(debug_ops, str):
        debug_ops = [debug_ops]
    watches = _rill.graph_watches(graph, *(pattern or "" for pattern in patterns), denies)
    for node, slot in watches:
        add_debug_tensor_watch(run_options, node, slot, debug_ops, debug_urls, tolerates, global_step)
    run_options.debug_options.reset_disk_byte_usage = resets


def watch_graph(run_options, graph, debug_ops="DebugIdentity", debug_urls=None, node_name_regex_allowlist=None,
                op_type_regex_allowlist=None, tensor_dtype_regex_allowlist=None,
                tolerate_debug_op_creation_failures=False, global_step=-1, reset_disk_byte_usage=False,
                node_name_regex_whitelist=None, op_type_regex_whitelist=None, tensor_dtype_regex_whitelist=None):
    """Watches the outputs that match every pattern that is given."""
    patterns = (node_name_regex_allowlist or node_name_regex_whitelist,
                op_type_regex_allowlist or op_type_regex_whitelist,
                tensor_dtype_regex_allowlist or tensor_dtype_regex_whitelist)
    _watch(run_options, graph, debug_ops, debug_urls, patterns, False, tolerate_debug_op_creation_failures,
           global_step, reset_disk_byte_usage)


def watch_graph_with_denylists(run_options, graph, debug_ops="DebugIdentity", debug_urls=None,
                               node_name_regex_denylist=None, op_type_regex_denylist=None,
                               tensor_dtype_regex_denylist=None, tolerate_debug_op_creation_failures=False,
                               global_step=-1, reset_disk_byte_usage=False, node_name_regex_blacklist=None,
                               op_type_regex_blacklist=None, tensor_dtype_regex_blacklist=None):
    """Watches the outputs that match none of the patterns."""
    patterns = (node_name_regex_denylist or node_name_regex_blacklist,
                op_type_regex_denylist or op_type_regex_blacklist,
                tensor_dtype_regex_denylist or tensor_dtype_regex_blacklist)
    _watch(run_options, graph, debug_ops, debug_urls, patterns, True, tolerate_debug_op_creation_failures,
           global_step, reset_disk_byte_usage)


watch_graph_with_blacklists = watch_graph_with_denylists


class WatchOptions:
    """What a watch function wants to be watched."""

    def __init__(self, debug_ops=None, node_name_regex_allowlist=None, op_type_regex_allowlist=None,
                 tensor_dtype_regex_allowlist=None, tolerate_debug_op_creation_failures=False,
                 node_name_regex_whitelist=None, op_type_regex_whitelist=None, tensor_dtype_regex_whitelist=None):
        self.debug_ops = debug_ops or ["DebugIdentity"]
        self.node_name_regex_allowlist = node_name_regex_allowlist or node_name_regex_whitelist
        self.op_type_regex_allowlist = op_type_regex_allowlist or op_type_regex_whitelist
        self.tensor_dtype_regex_allowlist = tensor_dtype_regex_allowlist or tensor_dtype_regex_whitelist
        self.tolerate_debug_op_creation_failures = tolerate_debug_op_creation_failures

    def __repr__(self):
        return (f"WatchOptions(debug_ops={self.debug_ops}, "
                f"node_name_regex_allowlist={self.node_name_regex_allowlist}, "
                f"op_type_regex_allowlist={self.op_type_regex_allowlist}, "
                f"tensor_dtype_regex_allowlist={self.tensor_dtype_regex_allowlist}, "
                f"tolerate_debug_op_creation_failures={self.tolerate_debug_op_creation_failures})")
