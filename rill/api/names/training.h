#pragma once

#include <utility>

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/config/config.h"
#include "rill/api/data/experimental.h"
#include "rill/api/data/file_datasets.h"
#include "rill/api/data/options.h"
#include "rill/api/debugging/numerics.h"
#include "rill/api/eager/gradient_tape.h"
#include "rill/api/estimator/canned/kmeans.h"
#include "rill/api/estimator/canned/logits.h"
#include "rill/api/estimator/input/model.h"
#include "rill/api/estimator/input/serving_input.h"
#include "rill/api/estimator/schedule/early_stopping.h"
#include "rill/api/estimator/schedule/in_memory_evaluator_hook.h"
#include "rill/api/input/input_producers.h"
#include "rill/api/io/tf_record.h"
#include "rill/api/lookup/mutable_tables.h"
#include "rill/api/nn/softmax.h"
#include "rill/api/parsing/features.h"
#include "rill/api/queue/queues.h"
#include "rill/api/saver/saved_model_builder.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/api/saver/signatures.h"
#include "rill/api/saver/warm_start.h"
#include "rill/api/strings/strings.h"
#include "rill/api/train/clip_ops.h"
#include "rill/api/train/learning_rate_decay.h"
#include "rill/api/train/queue_runner.h"
#include "rill/api/training/checkpoint_saver_hook.h"
#include "rill/api/training/hook_timer.h"
#include "rill/api/training/logging_tensor_hook.h"
#include "rill/api/training/profiler_hook.h"
#include "rill/api/training/session_run_hook.h"
#include "rill/api/training/step_hooks.h"
#include "rill/api/training/summary_saver_hook.h"
#include "rill/api/training/value_hooks.h"

// Modules that name again what tf.train, tf.estimator and tf.saved_model hold.
namespace rill::train::queue_runner {
using ::rill::train::add_queue_runner;
using ::rill::train::QueueRunner;
using ::rill::train::start_queue_runners;
}  // namespace rill::train::queue_runner
namespace rill::train {
inline Output piecewise_constant_decay(const Input& x, const Inputs& boundaries,
                                       const Inputs& values,
                                       const ::rill::train::PiecewiseConstantOptions& options = {},
                                       std::source_location at = std::source_location::current()) {
  return ::rill::train::piecewise_constant(x, boundaries, values, options, at);
}
}  // namespace rill::train
namespace rill::estimator {
using ::rill::train::CheckpointSaverHook;
using ::rill::train::CheckpointSaverListener;
using ::rill::train::FeedFnHook;
using ::rill::train::FinalOpsHook;
using ::rill::train::GlobalStepWaiterHook;
using ::rill::train::LoggingTensorHook;
using ::rill::train::NanLossDuringTrainingError;
using ::rill::train::NanTensorHook;
using ::rill::train::ProfilerHook;
using ::rill::train::SecondOrStepTimer;
using ::rill::train::SessionRunArgs;
using ::rill::train::SessionRunContext;
using ::rill::train::SessionRunHook;
using ::rill::train::SessionRunValues;
using ::rill::train::StepCounterHook;
using ::rill::train::StopAtStepHook;
using ::rill::train::SummarySaverHook;
using ::rill::train::VocabInfo;
}  // namespace rill::estimator
namespace rill::estimator::experimental {
using ::rill::estimator::build_raw_supervised_input_receiver_fn;
using ::rill::estimator::call_logit_fn;
using ::rill::estimator::dnn_logit_fn_builder;
using ::rill::estimator::InMemoryEvaluatorHook;
using ::rill::estimator::KMeans;
using ::rill::estimator::linear_logit_fn_builder;
using ::rill::estimator::make_early_stopping_hook;
using ::rill::estimator::make_stop_at_checkpoint_step_hook;
using ::rill::estimator::stop_if_higher_hook;
using ::rill::estimator::stop_if_lower_hook;
using ::rill::estimator::stop_if_no_decrease_hook;
using ::rill::estimator::stop_if_no_increase_hook;
}  // namespace rill::estimator::experimental
namespace rill::estimator::export_ {
using ::rill::estimator::build_parsing_serving_input_receiver_fn;
using ::rill::estimator::build_raw_serving_input_receiver_fn;
using ::rill::estimator::ClassificationOutput;
using ::rill::estimator::ExportOutput;
using ::rill::estimator::PredictOutput;
using ::rill::estimator::RegressionOutput;
using ::rill::estimator::ServingInputReceiver;
using ::rill::estimator::TensorServingInputReceiver;
}  // namespace rill::estimator::export_
namespace rill::saved_model::builder {
using ::rill::saved_model::Builder;
}  // namespace rill::saved_model::builder
namespace rill::saved_model::builder {
using SavedModelBuilder = Builder;
}  // namespace rill::saved_model::builder
namespace rill::saved_model::loader {
using ::rill::saved_model::load;
}  // namespace rill::saved_model::loader
namespace rill::saved_model::signature_def_utils {
using ::rill::saved_model::build_signature_def;
using ::rill::saved_model::classification_signature_def;
using ::rill::saved_model::is_valid_signature;
using ::rill::saved_model::predict_signature_def;
using ::rill::saved_model::regression_signature_def;
}  // namespace rill::saved_model::signature_def_utils
namespace rill::saved_model::utils {
using ::rill::saved_model::build_tensor_info;
using ::rill::saved_model::get_tensor_from_tensor_info;
}  // namespace rill::saved_model::utils
namespace rill::io {
using ::rill::FixedLenFeature;
using ::rill::FixedLenSequenceFeature;
using ::rill::PaddingFIFOQueue;
using ::rill::PriorityQueue;
using ::rill::QueueBase;
using ::rill::RandomShuffleQueue;
using ::rill::SparseFeature;
using ::rill::VarLenFeature;
using ::rill::train::match_filenames_once;
}  // namespace rill::io
namespace rill {
using ::rill::io::parse_example;
using ::rill::io::parse_single_example;
using ::rill::io::parse_single_sequence_example;
using ::rill::strings::reduce_join;
using ::rill::strings::regex_replace;
}  // namespace rill
namespace rill::math {
using ::rill::is_non_decreasing;
using ::rill::is_strictly_increasing;
using ::rill::nn::log_softmax;
using ::rill::nn::softmax;
}  // namespace rill::math
namespace rill::linalg {
using ::rill::global_norm;
using ::rill::matrix_transpose;
inline Output transpose(const Input& a, const MatrixTransposeOptions& options = {},
                        std::source_location at = std::source_location::current()) {
  return ::rill::matrix_transpose(a, options, at);
}
}  // namespace rill::linalg
namespace rill::manip {
using ::rill::gather_nd;
}  // namespace rill::manip
namespace rill::nn {
using ::rill::space_to_batch;
}  // namespace rill::nn
namespace rill::lookup::experimental {
using ::rill::lookup::DenseHashTable;
}  // namespace rill::lookup::experimental
namespace rill::config::experimental {
using ::rill::config::get_device_policy;
using ::rill::config::get_memory_growth;
using ::rill::config::get_synchronous_execution;
using ::rill::config::get_virtual_device_configuration;
using ::rill::config::get_visible_devices;
using ::rill::config::list_logical_devices;
using ::rill::config::list_physical_devices;
using ::rill::config::set_device_policy;
using ::rill::config::set_memory_growth;
using ::rill::config::set_synchronous_execution;
using ::rill::config::set_virtual_device_configuration;
using ::rill::config::set_visible_devices;
using ::rill::config::VirtualDeviceConfiguration;
}  // namespace rill::config::experimental
namespace rill::config::threading {
using ::rill::config::get_inter_op_parallelism_threads;
using ::rill::config::get_intra_op_parallelism_threads;
using ::rill::config::set_inter_op_parallelism_threads;
using ::rill::config::set_intra_op_parallelism_threads;
}  // namespace rill::config::threading
namespace rill::data::experimental {
using ::rill::data::MapVectorizationOptions;
using ::rill::data::OptimizationOptions;
using ::rill::data::StatsOptions;
using ::rill::data::ThreadingOptions;
using ::rill::io::TFRecordWriter;
inline ::rill::data::Dataset Counter(const Input& start = 0, const Input& step = 1,
                                     DType dtype = DType::i64) {
  return ::rill::data::experimental::counter(start, step, dtype);
}
}  // namespace rill::data::experimental
