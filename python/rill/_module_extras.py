"""Names of TensorFlow's modules that are not public: where each is, as "module" or "module:other name".

"module:*" is the module itself; the other name may have dots.
"""

_CONVERSION = {name: "_framework" for name in (
    "convert_n_to_tensor", "internal_convert_to_tensor", "convert_n_to_tensor_or_indexed_slices",
    "internal_convert_to_tensor_or_indexed_slices")}
_FLOW = {name: "_control_flow" for name in (
    "cond", "while_loop", "case", "switch_case", "group", "Assert", "switch", "merge")}
_FUNCTIONS = {name: "functional_ops" for name in ("For", "If", "While", "remote_call", "symbolic_gradient")}
_SMART = {name: "_control_flow" for name in ("smart_case", "smart_cond", "smart_constant_value")}
_TABLES = {name: "_vocabularies" for name in (
    "HashTable", "IdTableWithHashBuckets", "LookupInterface", "MutableDenseHashTable", "MutableHashTable",
    "TableInitializerBase", "TextFileIdTableInitializer", "TextFileStringTableInitializer",
    "index_table_from_file", "index_table_from_tensor", "index_to_string_table_from_file",
    "index_to_string_table_from_tensor", "tables_initializer")}
_TABLES.update({f"{name}V1": f"lookup:{name}" for name in ("StaticHashTable", "StaticVocabularyTable")})
_AVERAGES = {name: f"_rill:functions.__internal__.train.{name}" for name in (
    "assign_moving_average", "weighted_moving_average")}
_SLOTS = {name: "_rill" for name in ("create_slot", "create_slot_with_initializer", "create_zeros_slot")}
_NEST = {name: "_nest" for name in ("is_attrs", "is_namedtuple", "is_sequence_or_composite",
                                    "same_namedtuples")}
_NEST.update({name: "_nest_partial" for name in (
    "assert_shallow_structure", "flatten_up_to", "flatten_dict_items", "flatten_with_joined_string_paths",
    "flatten_with_tuple_paths", "flatten_with_tuple_paths_up_to", "get_traverse_shallow_structure",
    "map_structure_up_to", "map_structure_with_paths", "map_structure_with_tuple_paths",
    "map_structure_with_tuple_paths_up_to", "yield_flat_paths", "yield_flattened_paths")})
_NEST.update({"is_sequence": "_nest:is_nested", "_is_namedtuple": "_nest:is_namedtuple"})
_CELLS = {"LayerRNNCell": "_rnn_base", "assert_like_rnncell": "_rnn_base", "_Linear": "_rnn_internals",
          "_linear": "_rnn_internals", "_concat": "_rnn_internals", "_hasattr": "_rnn_base:_has",
          "_zero_state_tensors": "_rnn_base:zero_state_tensors"}
_TESTS = {name: "_test_modes" for name in (
    "run_in_graph_and_eager_modes", "run_all_in_graph_and_eager_modes", "run_deprecated_v1", "run_v1_only",
    "run_v2_only", "also_run_as_tf_function", "assert_no_new_tensors", "assert_no_new_pyobjects_executing_eagerly",
    "assert_no_garbage_created",
    "run_gpu_only", "disable_xla", "deprecated_graph_mode_only")}
_TESTS["TensorFlowTestCase"] = "_test_case:TestCase"

_CONVOLUTIONS = {f"{old}{size}D{end}": f"layers:{new}{size}D{end}" for old, new, sizes, end in (
    ("Convolution", "Conv", (1, 2, 3), ""), ("Convolution", "Conv", (2, 3), "Transpose"),
    ("SeparableConvolution", "SeparableConv", (1, 2), "")) for size in sizes}
_CONVOLUTIONS.update({f"{old}{size}D": f"layers:Conv{size}DTranspose" for old in ("Deconvolution", "Deconv")
                      for size in (2, 3)})
_CONVOLUTIONS.update({name.lower().replace("transpose", "_transpose").replace("separable", "separable_"):
                      place.lower().replace("transpose", "_transpose").replace("separable", "separable_")
                      for name, place in _CONVOLUTIONS.items()})
_LAYER_UTILS = dict.fromkeys(
    ("convert_data_format", "normalize_tuple", "normalize_data_format", "normalize_padding", "conv_output_length",
     "conv_input_length", "deconv_output_length", "smart_cond", "smart_constant_value", "constant_value"),
    "_layer_utils")

_TOOLS = {
    "freeze_graph": ("freeze_graph",),
    "inspect_checkpoint": ("print_tensors_in_checkpoint_file",),
    "optimize_for_inference_lib": ("optimize_for_inference", "fold_batch_norms", "fuse_resize_and_conv"),
    "saved_model_utils": ("read_saved_model", "get_saved_model_tag_sets", "get_meta_graph_def"),
    "strip_unused_lib": ("strip_unused", "strip_unused_from_files")}

# Modules that are programs, too: what `python -m tensorflow.python.tools.NAME` calls.
PROGRAMS = {f"python.tools.{name}": f"{module}:{function}" for name, module, function in (
    ("freeze_graph", "_command", "freeze_graph"), ("saved_model_cli", "_saved_model_cli", "main"),
    *((name, "_tool_commands", name) for name in (
        "import_pb_to_tensorboard", "inspect_checkpoint", "optimize_for_inference", "strip_unused")))}
PROGRAMS["python.debug.cli.offline_analyzer"] = "_tool_commands:offline_analyzer"

# Where TensorFlow has a function of another signature under the name of an op: the op is not found there.
OTHER_FUNCTIONS = {
    "python.ops.list_ops": {"tensor_list_concat", "tensor_list_split", "tensor_list_scatter",
                            "tensor_list_scatter_into_existing_list", "tensor_list_set_item",
                            "tensor_list_element_shape"},
    "python.ops.functional_ops": {"partitioned_call", "stateful_partitioned_call"},
    "python.ops.sparse_ops": {"deserialize_many_sparse", "serialize_sparse", "serialize_many_sparse"}}

NAMES = {
    **{f"python.tools.{module}": dict.fromkeys(names, "_graph_tools") for module, names in _TOOLS.items()},
    "python.tools.import_pb_to_tensorboard": {"import_to_tensorboard": "_tool_commands"},
    "tools.graph_transforms": {"TransformGraph": "_graph_tools"},
    "python.framework.ops": {
        **_CONVERSION, "colocate_with": "_scopes", "_colocate_with_for_gradient": "_framework",
        "get_gradient_function": "_framework", "executing_eagerly_outside_functions": "_framework",
        "strip_name_scope": "_framework", "prepend_name_scope": "_framework", "uid": "_framework",
        "get_name_scope": "_framework", "inside_function": "_framework", "name_from_scope_name": "_framework",
        "_get_graph_from_inputs": "_rill:graph_of_values", "NullContextmanager": "_framework",
        "EagerTensor": "_rill", "dismantle_graph": "_framework", "name_scope_v1": "_scopes:name_scope",
        "has_default_graph": "_framework", "register_proto_function": "_saver",
        "_TensorLike": "_framework:TensorLike", "is_dense_tensor_like": "_framework", "tensor_id": "_framework",
        "set_shapes_for_outputs": "_library_names", "register_dense_tensor_like_type": "_library_names",
        "set_shape_and_handle_data_for_outputs": "_library_names:set_shapes_for_outputs"},
    "python.framework.dtypes": {"DType": "_rill"},
    "python.framework.tensor_shape": {
        "as_shape": "_rill", "as_dimension": "_framework", "unknown_shape": "_framework",
        "scalar": "_framework", "vector": "_framework", "matrix": "_framework",
        "TensorShapeV1": "_rill:TensorShape", "dimension_value": "_rill", "dimension_at_index": "_rill"},
    "python.framework.tensor_util": {
        "constant_value": "_static:constant_value", "constant_value_as_shape": "_static",
        "MakeNdarray": "_static:make_ndarray", "is_tensor": "_framework"},
    "python.framework.random_seed": {"DEFAULT_GRAPH_SEED": "_test_case:SEED"},
    "python.framework.smart_cond": _SMART,
    "python.framework.function": {"Defun": "_defun"},
    "python.framework.common_shapes": {"broadcast_shape": "_framework",
                                       "is_broadcast_compatible": "_framework"},
    "python.framework.op_def_registry": {"get_registered_ops": "_framework", "get": "_framework:op_def_of",
                                         "register_op_list": "_framework"},
    "python.framework.test_util": _TESTS,
    "python.framework.meta_graph": {
        "read_meta_graph_file": "_saver", "import_scoped_meta_graph": "_saver",
        "export_scoped_meta_graph": "_saver"},
    "python.training.basic_session_run_hooks": {name: "_hooks" for name in (
        "NeverTriggerTimer", "_MultiStepStopAtStepHook", "get_or_create_steps_per_run_variable")},
    "python.training.evaluation": {
        "_MultiStepStopAfterNEvalsHook": "_hooks", "_StopAfterNEvalsHook": "_hooks",
        "_evaluate_once": "contrib._training_loops:evaluate_once",
        "_get_or_create_eval_step": "_rill:get_or_create_eval_step"},
    "python.training.summary_io": {"SummaryWriter": "_file_writer:FileWriter",
                                   "SummaryWriterCache": "_file_writer:FileWriterCache",
                                   "summary_iterator": "_file_writer:SummaryIterator"},
    "python.training.training_util": {"_get_or_create_global_step_read": "_hooks:global_step_read"},
    "python.training.saver": {"BaseSaverBuilder": "_saver", "BulkSaverBuilder": "_saver",
                              "SaveableObject": "_saver"},
    "python.training.saving.saveable_object": {"SaveSpec": "_saver", "SaveableObject": "_saver"},
    "python.training.checkpoint_utils": {"load_checkpoint": "_rill"},
    "python.training.monitored_session": {"USE_DEFAULT": "_monitored_session",
                                          **dict.fromkeys(("_MonitoredSession", "_WrappedSession", "_HookedSession",
                                                           "_CoordinatedSession", "_RecoverableSession"),
                                                          "_monitored_session")},
    "python.training.supervisor": {name: "_supervisor" for name in (
        "SVStepCounterThread", "SVSummaryThread", "SVTimerCheckpointThread")},
    "python.framework.load_library": {},
    "python.framework.device": {"canonical_name": "_framework", "merge_device": "_framework"},
    "python.framework.errors_impl": {},
    "python.ops.control_flow_ops": {
        **_FLOW, "_basic_group": "_control_flow:group", "smart_case": "_control_flow", "smart_cond": "_control_flow",
        "with_dependencies": "_control_flow", "_case_helper": "_control_flow"},
    "python.ops.data_flow_ops": {"Barrier": "_accumulators", "MapStagingArea": "_rill", "RecordInput": "_record_input",
                                 "StagingArea": "_rill"},
    "python.ops.lookup_ops": _TABLES,
    "python.training.moving_averages": _AVERAGES,
    "python.training.slot_creator": _SLOTS,
    "python.ops.functional_ops": _FUNCTIONS,
    "python.ops.list_ops": dict.fromkeys(
        ("empty_tensor_list", "tensor_list_reserve", "tensor_list_from_tensor", "tensor_list_get_item",
         "tensor_list_pop_back", "tensor_list_gather", "tensor_list_stack"), "_list_ops"),
    "python.ops.sparse_ops": {
        "sparse_dense_cwise_add": "_sparse_internals", "deserialize_sparse": "_sparse_internals",
        **{"_" + name: "_sparse_internals:" + name for name in (
            "add_sparse_to_tensors_map", "add_many_sparse_to_tensors_map", "take_many_sparse_from_tensors_map")}},
    "python.ops.init_ops": {"_compute_fans": "_framework:compute_fans"},
    "python.ops.resource_variable_ops": {
        "ResourceVariable": "_resource_variable", "BaseResourceVariable": "_resource_variable:ResourceVariable",
        "is_resource_variable": "_resource_variable"},
    "python.ops.variables": {"VariableV1": "_variables:Variable", "RefVariable": "_resource_variable",
                             "PartitionedVariable": "_variable_scope"},
    "python.layers.convolutional": _CONVOLUTIONS,
    "python.layers.utils": _LAYER_UTILS,
    "python.keras.utils.conv_utils": _LAYER_UTILS,
    "python.ops.variable_scope": {"_pure_variable_scope": "_library_names:pure_variable_scope",
                                  "EagerVariableStore": "contrib._eager_objects"},
    "python.ops.summary_op_util": dict.fromkeys(("summary_scope", "collect", "skip_summary"), "_library_names"),
    "python.distribute.summary_op_util": {"skip_summary": "_library_names"},
    "python.tf2": {"enabled": "_library_names:tf2_enabled"},
    "python.ops.array_ops": dict.fromkeys(("shape_internal", "size_internal", "rank_internal"), "_library_names"),
    "python.ops.control_flow_util": dict.fromkeys(
        ("GraphOrParentsInXlaContext", "GetContainingXLAContext", "ENABLE_CONTROL_FLOW_V2"), "_library_names"),
    "python.ops.confusion_matrix": {
        "remove_squeezable_dimensions": "_rill:functions.__internal__.math.remove_squeezable_dimensions"},
    "python.ops.metrics_impl": {
        "_remove_squeezable_dimensions": "_library_names:remove_squeezable_dimensions",
        "_safe_scalar_div": "_library_names:safe_scalar_div"},
    "python.pywrap_tensorflow": {"EqualGraphDefWrapper": "test:graph_def_difference",
                                 "TF_TryEvaluateConstant_wrapper": "_library_names:try_evaluate_constant"},
    "python.keras.engine": {"Network": "keras.models:Model"},
    "python.keras.engine.network": {"Network": "keras.models:Model"},
    "python.keras.optimizer_v2.optimizer_v2": {"OptimizerV2": "keras.optimizers:Optimizer"},
    "python.keras.utils.layer_utils": {"print_summary": "keras._summary"},
    "python.keras.utils.generic_utils": dict.fromkeys(("func_dump", "func_load"), "_library_names"),
    "python.framework.type_spec": {"BatchableTypeSpec": "_type_spec", "type_spec_from_value": "_type_spec"},
    "python.tpu.tpu_function": {"get_tpu_context": "_library_names", "TpuContext": "_library_names"},
    "python.framework.composite_tensor": {"CompositeTensor": "_composite_specs"},
    "python.ops.gradients_impl": {"gradients_v2": "compat.v2:gradients"},
    "python.framework.device_spec": {"DeviceSpecV1": "_rill:DeviceSpec"},
    "python.keras.utils.tf_utils": {
        "get_reachable_from_inputs": "_graph_walks", "register_symbolic_tensor_type": "_library_names",
        **_SMART, "constant_value": "_static", "is_symbolic_tensor": "_framework",
        "is_tensor_or_tensor_list": "_framework"},
    "python.keras.backend": {"get_graph": "_rill:get_default_graph"},
    "contrib.framework": {"nest": "python.util.nest:*"},
    "contrib.slim": {**{name: f"contrib.slim.python.slim.data.{name}:*" for name in (
        "data_decoder", "data_provider", "dataset", "dataset_data_provider", "parallel_reader", "prefetch_queue")},
                     "initializers": "contrib.layers.python.layers.initializers:*",
                     "regularizers": "contrib.layers.python.layers.regularizers:*"},
    "python.ops.rnn": {name: "_rnn_internals" for name in ("_transpose_batch_time", "_best_effort_input_batch_size",
                                                           "_infer_state_dtype")},
    "python.ops.rnn_cell": _CELLS,
    "python.ops.rnn_cell_impl": _CELLS,
    "contrib.rnn.python.ops.core_rnn_cell": _CELLS,
    "contrib.rnn.python.ops.rnn_cell": _CELLS,
    "python.util.nest": _NEST,
    "python.data.util.nest": _NEST,
    "python.util.tf_inspect": {"_inspect": "_program_utils:inspect", **{name: "_program_utils:" + name for name in (
        "getfullargspec", "getargspec", "getdoc", "getsource", "signature", "isfunction", "isclass", "ismethod",
        "ismodule", "isgenerator", "getmembers", "getmodule", "getmro", "getcallargs", "currentframe", "stack",
        "ArgSpec", "getfile", "isbuiltin", "isroutine", "getargvalues", "isgeneratorfunction", "isframe")}},
    "python.util.tf_decorator": {name: "_program_utils" for name in ("make_decorator", "unwrap", "rewrap")},
    "python.util.deprecation": {name: "_program_utils" for name in (
        "deprecated", "deprecated_args", "deprecated_arg_values", "deprecated_argument_lookup",
        "deprecated_endpoints", "rewrite_argument_docstring", "silence")},
    "python.util.tf_export": {name: "_program_utils" for name in ("tf_export", "keras_export",
                                                                  "estimator_export")},
    "python.util.tf_contextlib": {"contextmanager": "_program_utils"},
    "python.util.lazy_loader": {"LazyLoader": "_program_utils"},
    "python.util.all_util": {"remove_undocumented": "_program_utils", "make_all": "_program_utils"},
    "python.util.tf_should_use": {"should_use_result": "_program_utils"},
    "python.util.function_utils": {"fn_args": "_program_utils", "has_kwargs": "_program_utils",
                                   "get_func_name": "_program_utils"},
    "python.lib.io.file_io": dict.fromkeys(
        ("FileIO", "atomic_write_string_to_file", "copy", "create_dir", "delete_file", "delete_recursively",
         "file_crc32", "file_exists", "filecmp", "get_matching_files", "get_registered_schemes", "has_atomic_move",
         "is_directory", "list_directory", "read_file_to_string", "recursive_create_dir", "rename", "stat", "walk",
         "write_string_to_file"), "_file_io"),
    "python.platform.tf_logging": {"get_logger": "logging", "google2_log_prefix": "logging"},
    "python.platform.googletest": {"GetTempDir": "_test_case:get_temp_dir"},
    "python.client.session": {"register_session_run_conversion_functions": "_session_conversions",
                              "BaseSession": "_rill:Session"},
    "python.client.timeline": dict.fromkeys(("Timeline", "StepStatsAnalysis", "AllocationMaximum"), "_timeline"),
    "python.client.device_lib": {"list_local_devices": "_framework"},
    "python.eager.context": {name: "_framework" for name in ("graph_mode", "eager_mode", "in_graph_mode", "in_eager_mode",
                                                             "num_gpus", "context")},
    "contrib.opt": dict.fromkeys(
        ("AdamWOptimizer", "DecoupledWeightDecayExtension", "LazyAdamOptimizer", "MomentumWOptimizer",
         "MovingAverageOptimizer", "NadamOptimizer", "extend_with_decoupled_weight_decay"), "contrib.opt"),
    "contrib.util": {"constant_value": "_static", "ops_used_by_graph_def": "_framework",
                     "stripped_op_list_for_graph": "_framework"},
}
