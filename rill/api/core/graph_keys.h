#pragma once

#include <utility>

namespace rill {

// The names of the collections that the library itself fills and reads. Some values differ from
// their names, as TensorFlow's do: VARIABLES is the old name of GLOBAL_VARIABLES,
// TABLE_INITIALIZERS is singular.
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

// All of them, for faces of other languages.
inline constexpr std::pair<const char*, const char*> kGraphKeys[] = {
    {"ACTIVATIONS", GraphKeys::ACTIVATIONS},
    {"ASSET_FILEPATHS", GraphKeys::ASSET_FILEPATHS},
    {"BIASES", GraphKeys::BIASES},
    {"CONCATENATED_VARIABLES", GraphKeys::CONCATENATED_VARIABLES},
    {"COND_CONTEXT", GraphKeys::COND_CONTEXT},
    {"EVAL_STEP", GraphKeys::EVAL_STEP},
    {"GLOBAL_STEP", GraphKeys::GLOBAL_STEP},
    {"GLOBAL_VARIABLES", GraphKeys::GLOBAL_VARIABLES},
    {"INIT_OP", GraphKeys::INIT_OP},
    {"LOCAL_INIT_OP", GraphKeys::LOCAL_INIT_OP},
    {"LOCAL_RESOURCES", GraphKeys::LOCAL_RESOURCES},
    {"LOCAL_VARIABLES", GraphKeys::LOCAL_VARIABLES},
    {"LOSSES", GraphKeys::LOSSES},
    {"METRIC_VARIABLES", GraphKeys::METRIC_VARIABLES},
    {"MODEL_VARIABLES", GraphKeys::MODEL_VARIABLES},
    {"MOVING_AVERAGE_VARIABLES", GraphKeys::MOVING_AVERAGE_VARIABLES},
    {"QUEUE_RUNNERS", GraphKeys::QUEUE_RUNNERS},
    {"READY_FOR_LOCAL_INIT_OP", GraphKeys::READY_FOR_LOCAL_INIT_OP},
    {"READY_OP", GraphKeys::READY_OP},
    {"REGULARIZATION_LOSSES", GraphKeys::REGULARIZATION_LOSSES},
    {"RESOURCES", GraphKeys::RESOURCES},
    {"SAVEABLE_OBJECTS", GraphKeys::SAVEABLE_OBJECTS},
    {"SAVERS", GraphKeys::SAVERS},
    {"SUMMARIES", GraphKeys::SUMMARIES},
    {"SUMMARY_OP", GraphKeys::SUMMARY_OP},
    {"TABLE_INITIALIZERS", GraphKeys::TABLE_INITIALIZERS},
    {"TRAINABLE_RESOURCE_VARIABLES", GraphKeys::TRAINABLE_RESOURCE_VARIABLES},
    {"TRAINABLE_VARIABLES", GraphKeys::TRAINABLE_VARIABLES},
    {"TRAIN_OP", GraphKeys::TRAIN_OP},
    {"UPDATE_OPS", GraphKeys::UPDATE_OPS},
    {"VARIABLES", GraphKeys::VARIABLES},
    {"WEIGHTS", GraphKeys::WEIGHTS},
    {"WHILE_CONTEXT", GraphKeys::WHILE_CONTEXT},
};

}  // namespace rill
