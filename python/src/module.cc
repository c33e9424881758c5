#include <nanobind/nanobind.h>

#include "array_functions.h"
#include "basic_hooks.h"
#include "basic_ops.h"
#include "bound_calls.h"
#include "call.h"
#include "collections.h"
#include "contexts.h"
#include "control_flow.h"
#include "custom_ops.h"
#include "data.h"
#include "debugger.h"
#include "debugging_functions.h"
#include "device_spec.h"
#include "distributions.h"
#include "dlpack.h"
#include "dtypes.h"
#include "eager.h"
#include "errors.h"
#include "estimator.h"
#include "estimator_outer.h"
#include "feature_columns.h"
#include "functional.h"
#include "functions.h"
#include "gradient_tools.h"
#include "gradients.h"
#include "graph_editor.h"
#include "graph_util.h"
#include "heads.h"
#include "hooks.h"
#include "image_functions.h"
#include "inputs.h"
#include "interpreter_lock.h"
#include "keras.h"
#include "layers.h"
#include "linalg_functions.h"
#include "linear_operators.h"
#include "logging_functions.h"
#include "lookup.h"
#include "losses_functions.h"
#include "math_functions.h"
#include "nn_functions.h"
#include "numpy.h"
#include "objects.h"
#include "optimizers.h"
#include "origin.h"
#include "plain_function.h"
#include "profiler.h"
#include "program_error.h"
#include "protos.h"
#include "py_func.h"
#include "queues.h"
#include "ragged_tensors.h"
#include "random.h"
#include "raw_ops.h"
#include "rnn.h"
#include "saver.h"
#include "seq2seq.h"
#include "session.h"
#include "shapes.h"
#include "sparse_tensors.h"
#include "static_values.h"
#include "summary_functions.h"
#include "traced_functions.h"
#include "train_functions.h"
#include "train_inputs.h"
#include "training.h"
#include "variable_scopes.h"
#include "variables.h"

NB_MODULE(_rill, m) {
  using namespace rill::python;
  // Objects held by a program's globals die after the module; that is no leak.
  nb::set_leak_warnings(false);
  watch_interpreter();
  share_lock();
  init_numpy();
  m.def_submodule("numpy_types").attr("bfloat16") = numpy_dtype(rill::DType::bf16).attr("type");
  bind_errors(m);
  bind_origin(m);
  bind_contexts(m);
  bind_calls(m);
  add_plain_functions();
  add_math_functions();
  add_reduce_functions();
  add_product_functions();
  bind_dtypes(m);
  bind_device_spec(m);
  bind_shapes(m);
  bind_graph(m);
  bind_elements(m);
  bind_eager(m);
  bind_protos(m);
  bind_inputs(m);
  bind_basic_ops(m);
  bind_static_values(m);
  bind_graph_util(m);
  bind_graph_editor(m);
  bind_graph_transforms(m);
  bind_raw_ops(m);
  bind_variables(m);
  bind_partitioned_variables(m);
  bind_variable_scopes(m);
  bind_initializers(m);
  bind_variable_functions(m);
  bind_collections(m);
  bind_random();
  bind_gradients(m);
  bind_train_functions();
  bind_optimizers(m);
  bind_moving_averages(m);
  bind_saver(m);
  bind_checkpoints(m);
  bind_saved_model(m);
  bind_meta_graph(m);
  bind_warm_start();
  bind_contrib_framework();
  bind_control_flow(m);
  bind_tensor_array(m);
  bind_functional(m);
  bind_functions(m);
  bind_traced_functions(m);
  bind_debugging(m);
  bind_distributions(m);
  bind_queues(m);
  bind_accumulators(m);
  bind_staging_area(m);
  bind_map_staging_area(m);
  bind_coordinator(m);
  bind_queue_runners(m);
  bind_input_functions();
  bind_sync_replicas(m);
  bind_readers(m);
  bind_files(m);
  bind_config(m);
  bind_generator(m);
  bind_graph_parts(m);
  bind_lookup(m);
  bind_gradient_tools(m);
  bind_logging(m);
  bind_session(m);
  bind_cluster(m);
  bind_distribute(m);
  bind_hooks(m);
  bind_estimator(m);
  bind_estimator_inputs(m);
  bind_estimator_export(m);
  bind_estimator_training(m);
  bind_scaffold(m);
  bind_session_manager(m);
  bind_monitored_session(m);
  bind_basic_hooks(m);
  bind_profiled_model(m);
  bind_debugger(m);
  bind_supervisor(m);
  bind_dlpack(m);
  bind_custom_ops(m);
  bind_sparse_tensors(m);
  bind_sparse_functions();
  bind_set_functions();
  bind_array_functions();
  bind_picking_functions();
  bind_string_functions();
  bind_parse_functions();
  bind_ragged_functions();
  bind_ragged_joining();
  bind_ragged_strings();
  bind_quantize_functions();
  bind_samplers();
  bind_image_functions();
  bind_box_functions();
  bind_signal_functions();
  bind_transform_functions();
  bind_crf_functions();
  bind_linalg_functions();
  bind_layers(m);
  bind_feature_columns(m);
  bind_feature_column_functions(m);
  bind_feature_column_methods(m);
  bind_linear_operators(m);
  bind_nn_functions();
  bind_losses();
  bind_metrics();
  bind_keras_backend(m);
  bind_keras_functions();
  bind_keras_metrics(m);
  bind_keras_optimizers(m);
  bind_contrib_losses();
  bind_contrib_metrics();
  bind_summary(m);
  bind_file_writer(m);
  bind_rnn(m);
  bind_rnn_cells(m);
  bind_keras_layers(m);
  bind_keras_training(m);
  bind_seq2seq(m);
  bind_data(m);
  bind_data_iterators(m);
  bind_data_experimental();
  bind_py_func(m);
  bind_object_checkpoints(m);
  bind_object_models(m);
  bind_keras_files(m);
  bind_keras_images(m);
  bind_heads(m);
  bind_canned(m);
  bind_boosted_trees(m);
  bind_clustering();
  bind_function_modules(m);
  take_arguments_as_python_does(m);
}
