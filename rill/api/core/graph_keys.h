#pragma once

namespace rill {

// The names of the collections that the library itself fills and reads.
struct GraphKeys {
  static constexpr const char* ACTIVATIONS = "activations";
  static constexpr const char* ASSET_FILEPATHS = "asset_filepaths";
  static constexpr const char* BIASES = "biases";
  static constexpr const char* CONCATENATED_VARIABLES = "concatenated_variables";
  static constexpr const char* COND_CONTEXT = "cond_context";
  static constexpr const char* EVAL_STEP = "eval_step";
  static constexpr const char* GLOBAL_STEP = "global_step";
  static constexpr const char* GLOBAL_VARIABLES = "variables";
  static constexpr const char* INIT_OP = "init_op";
  static constexpr const char* LOCAL_INIT_OP = "local_init_op";
  static constexpr const char* LOCAL_RESOURCES = "local_resources";
  static constexpr const char* LOCAL_VARIABLES = "local_variables";
  static constexpr const char* LOSSES = "losses";
  static constexpr const char* METRIC_VARIABLES = "metric_variables";
  static constexpr const char* MODEL_VARIABLES = "model_variables";
  static constexpr const char* MOVING_AVERAGE_VARIABLES = "moving_average_variables";
  static constexpr const char* QUEUE_RUNNERS = "queue_runners";
  static constexpr const char* READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op";
  static constexpr const char* READY_OP = "ready_op";
  static constexpr const char* REGULARIZATION_LOSSES = "regularization_losses";
  static constexpr const char* RESOURCES = "resources";
  static constexpr const char* SAVEABLE_OBJECTS = "saveable_objects";
  static constexpr const char* SAVERS = "savers";
  static constexpr const char* SUMMARIES = "summaries";
  static constexpr const char* SUMMARY_OP = "summary_op";
  static constexpr const char* TABLE_INITIALIZERS = "table_initializer";
  static constexpr const char* TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables";
  static constexpr const char* TRAINABLE_VARIABLES = "trainable_variables";
  static constexpr const char* TRAIN_OP = "train_op";
  static constexpr const char* UPDATE_OPS = "update_ops";
  static constexpr const char* VARIABLES = "variables";
  static constexpr const char* WEIGHTS = "weights";
  static constexpr const char* WHILE_CONTEXT = "while_context";
};

}  // namespace rill
