#pragma once

#include <utility>

#include "rill/api/array/sorting.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/crf/crf.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/factorization/kmeans.h"
#include "rill/api/gen/logging.h"
#include "rill/api/layers/contrib_embedding.h"
#include "rill/api/layers/contrib_layers.h"
#include "rill/api/layers/contrib_norms.h"
#include "rill/api/layers/contrib_optimize.h"
#include "rill/api/layers/contrib_regularizers.h"
#include "rill/api/lookup/initializers.h"
#include "rill/api/lookup/mutable_tables.h"
#include "rill/api/lookup/static_tables.h"
#include "rill/api/lookup/table.h"
#include "rill/api/lookup/vocabularies.h"
#include "rill/api/losses/losses.h"
#include "rill/api/math/squeezable.h"
#include "rill/api/metrics/confusion_matrix.h"
#include "rill/api/metrics/metrics.h"
#include "rill/api/names/framework.h"
#include "rill/api/nn/embedding.h"
#include "rill/api/rnn/static_rnn.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/saver/contrib_framework.h"
#include "rill/api/saver/remapped_matrix.h"
#include "rill/api/slim/arg_scope.h"
#include "rill/api/sparse/sets.h"
#include "rill/api/train/adam.h"
#include "rill/api/train/decoupled_weight_decay.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/moving_average_optimizer.h"
#include "rill/api/training/evaluation_hooks.h"
#include "rill/api/variables/initializer.h"

// tf.contrib: names of its modules that tf, tf.train, tf.metrics and others have as well.
namespace rill::contrib::losses {
using ::rill::losses::add_loss;
using ::rill::losses::compute_weighted_loss;
using ::rill::losses::get_losses;
using ::rill::losses::get_regularization_losses;
using ::rill::losses::get_total_loss;
}  // namespace rill::contrib::losses
namespace rill::contrib::losses {
inline Output absolute_difference(const Input& predictions, const Input& labels,
                                  const ::rill::losses::LossOptions& options = {},
                                  std::source_location at = std::source_location::current()) {
  return ::rill::losses::absolute_difference(labels, predictions, options, at);
}
inline Output hinge_loss(const Input& labels, const Input& logits,
                         const ::rill::losses::LossOptions& options = {},
                         std::source_location at = std::source_location::current()) {
  return ::rill::losses::hinge_loss(labels, logits, options, at);
}
inline Output log_loss(const Input& predictions, const Input& labels,
                       const ::rill::losses::LogLossOptions& options = {},
                       std::source_location at = std::source_location::current()) {
  return ::rill::losses::log_loss(labels, predictions, options, at);
}
inline Output mean_pairwise_squared_error(
    const Input& predictions, const Input& labels,
    const ::rill::losses::PairwiseLossOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::losses::mean_pairwise_squared_error(labels, predictions, options, at);
}
inline Output mean_squared_error(const Input& predictions, const Input& labels,
                                 const ::rill::losses::LossOptions& options = {},
                                 std::source_location at = std::source_location::current()) {
  return ::rill::losses::mean_squared_error(labels, predictions, options, at);
}
inline Output cosine_distance(const Input& predictions, const Input& labels, std::int64_t axis,
                              const ::rill::losses::LossOptions& options = {},
                              std::source_location at = std::source_location::current()) {
  return ::rill::losses::cosine_distance(labels, predictions, axis, options, at);
}
}  // namespace rill::contrib::losses
namespace rill::contrib::lookup {
using ::rill::lookup::index_table_from_file;
using ::rill::lookup::index_table_from_tensor;
using ::rill::lookup::index_to_string_table_from_file;
using ::rill::lookup::index_to_string_table_from_tensor;
using ::rill::lookup::KeyValueTensorInitializer;
using ::rill::lookup::MutableHashTable;
using ::rill::lookup::TextFileIndex;
using ::rill::lookup::TextFileInitializer;
using HashTable = ::rill::lookup::StaticHashTable;
using MutableDenseHashTable = ::rill::lookup::DenseHashTable;
using IdTableWithHashBuckets = ::rill::lookup::StaticVocabularyTable;
using InitializableLookupTableBase = ::rill::lookup::StaticHashTable;
using LookupInterface = ::rill::lookup::LookupTable;
using TableInitializerBase = ::rill::lookup::TableInitializer;
inline std::shared_ptr<::rill::lookup::LookupTable> string_to_index_table_from_file(
    const Input& vocabulary_file, const ::rill::lookup::IndexTableOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::lookup::index_table_from_file(vocabulary_file, options, at);
}
inline std::shared_ptr<::rill::lookup::LookupTable> string_to_index_table_from_tensor(
    const Input& vocabulary_list, const ::rill::lookup::IndexTableOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::lookup::index_table_from_tensor(vocabulary_list, options, at);
}
}  // namespace rill::contrib::lookup
namespace rill::contrib::memory_stats {
using raw::BytesInUse;
using raw::BytesLimit;
using raw::MaxBytesInUse;
}  // namespace rill::contrib::memory_stats

namespace rill::contrib::metrics {
inline ::rill::metrics::Metric streaming_accuracy(
    const Input& predictions, const Input& labels,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::accuracy(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_auc(
    const Input& predictions, const Input& labels, const ::rill::metrics::AucOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::auc(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_false_negatives(
    const Input& predictions, const Input& labels,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::false_negatives(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_false_negatives_at_thresholds(
    const Input& predictions, const Input& labels, const ::rill::metrics::Thresholds& thresholds,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::false_negatives_at_thresholds(labels, predictions, thresholds, options,
                                                        at);
}
inline ::rill::metrics::Metric streaming_false_positives(
    const Input& predictions, const Input& labels,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::false_positives(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_false_positives_at_thresholds(
    const Input& predictions, const Input& labels, const ::rill::metrics::Thresholds& thresholds,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::false_positives_at_thresholds(labels, predictions, thresholds, options,
                                                        at);
}
inline ::rill::metrics::Metric streaming_mean_absolute_error(
    const Input& predictions, const Input& labels,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::mean_absolute_error(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_mean_cosine_distance(
    const Input& predictions, const Input& labels, std::int64_t dim,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::mean_cosine_distance(labels, predictions, dim, options, at);
}
inline ::rill::metrics::Metric streaming_mean_iou(
    const Input& predictions, const Input& labels, std::int64_t num_classes,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::mean_iou(labels, predictions, num_classes, options, at);
}
inline ::rill::metrics::Metric streaming_mean_relative_error(
    const Input& predictions, const Input& labels, const Input& normalizer,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::mean_relative_error(labels, predictions, normalizer, options, at);
}
inline ::rill::metrics::Metric streaming_mean_squared_error(
    const Input& predictions, const Input& labels,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::mean_squared_error(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_precision(
    const Input& predictions, const Input& labels,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::precision(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_precision_at_thresholds(
    const Input& predictions, const Input& labels, const ::rill::metrics::Thresholds& thresholds,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::precision_at_thresholds(labels, predictions, thresholds, options, at);
}
inline ::rill::metrics::Metric streaming_recall(
    const Input& predictions, const Input& labels,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::recall(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_recall_at_thresholds(
    const Input& predictions, const Input& labels, const ::rill::metrics::Thresholds& thresholds,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::recall_at_thresholds(labels, predictions, thresholds, options, at);
}
inline ::rill::metrics::Metric streaming_root_mean_squared_error(
    const Input& predictions, const Input& labels,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::root_mean_squared_error(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_sensitivity_at_specificity(
    const Input& predictions, const Input& labels, double specificity,
    const ::rill::metrics::AtRateOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::sensitivity_at_specificity(labels, predictions, specificity, options, at);
}
inline ::rill::metrics::Metric streaming_specificity_at_sensitivity(
    const Input& predictions, const Input& labels, double sensitivity,
    const ::rill::metrics::AtRateOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::specificity_at_sensitivity(labels, predictions, sensitivity, options, at);
}
inline ::rill::metrics::Metric streaming_true_negatives(
    const Input& predictions, const Input& labels,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::true_negatives(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_true_negatives_at_thresholds(
    const Input& predictions, const Input& labels, const ::rill::metrics::Thresholds& thresholds,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::true_negatives_at_thresholds(labels, predictions, thresholds, options,
                                                       at);
}
inline ::rill::metrics::Metric streaming_true_positives(
    const Input& predictions, const Input& labels,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::true_positives(labels, predictions, options, at);
}
inline ::rill::metrics::Metric streaming_true_positives_at_thresholds(
    const Input& predictions, const Input& labels, const ::rill::metrics::Thresholds& thresholds,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::true_positives_at_thresholds(labels, predictions, thresholds, options,
                                                       at);
}
inline ::rill::metrics::Metric streaming_mean(
    const Input& values, const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::mean(values, options, at);
}
inline ::rill::metrics::Metric streaming_mean_tensor(
    const Input& values, const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::mean_tensor(values, options, at);
}
}  // namespace rill::contrib::metrics
namespace rill::contrib::metrics {
inline ::rill::metrics::Metric streaming_percentage_less(
    const Input& values, const Input& threshold, const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::percentage_below(values, threshold, options, at);
}
inline ::rill::metrics::Metric streaming_sparse_precision_at_k(
    const Input& predictions, const ::rill::metrics::Labels& labels, std::int64_t k,
    const ::rill::metrics::AtKOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::precision_at_k(labels, predictions, k, options, at);
}
inline ::rill::metrics::Metric streaming_sparse_precision_at_top_k(
    const ::rill::metrics::Labels& labels, const Input& predictions_idx,
    const ::rill::metrics::TopKOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::precision_at_top_k(labels, predictions_idx, options, at);
}
inline ::rill::metrics::Metric streaming_sparse_recall_at_k(
    const Input& predictions, const ::rill::metrics::Labels& labels, std::int64_t k,
    const ::rill::metrics::AtKOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::recall_at_k(labels, predictions, k, options, at);
}
inline ::rill::metrics::Metric sparse_recall_at_top_k(
    const ::rill::metrics::Labels& labels, const Input& predictions_idx,
    const ::rill::metrics::TopKOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::recall_at_top_k(labels, predictions_idx, options, at);
}
inline ::rill::metrics::Metric streaming_sparse_average_precision_at_k(
    const Input& predictions, const ::rill::metrics::Labels& labels, std::int64_t k,
    const ::rill::metrics::MetricOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::metrics::average_precision_at_k(labels, predictions, k, options, at);
}
using ::rill::confusion_matrix;
using ::rill::sets::set_union;
inline SparseTensor set_difference(const ::rill::sets::SetInput& a, const ::rill::sets::SetInput& b,
                                   const ::rill::sets::SetOptions& options = {},
                                   std::source_location at = std::source_location::current()) {
  return ::rill::sets::difference(a, b, options, at);
}
inline SparseTensor set_intersection(const ::rill::sets::SetInput& a,
                                     const ::rill::sets::SetInput& b,
                                     const ::rill::sets::SetOptions& options = {},
                                     std::source_location at = std::source_location::current()) {
  return ::rill::sets::intersection(a, b, options, at);
}
inline Output set_size(const SparseTensor& a, const ::rill::sets::SetOptions& options = {},
                       std::source_location at = std::source_location::current()) {
  return ::rill::sets::size(a, options, at);
}
}  // namespace rill::contrib::metrics
namespace rill::contrib::rnn {
using ::rill::nn::static_bidirectional_rnn;
using ::rill::nn::static_rnn;
using ::rill::nn::static_state_saving_rnn;
}  // namespace rill::contrib::rnn
namespace rill::contrib::opt {
using ::rill::train::AdamWOptimizer;
using ::rill::train::LazyAdamOptimizer;
using ::rill::train::MomentumWOptimizer;
using ::rill::train::MovingAverageOptimizer;
using ::rill::train::NadamOptimizer;
}  // namespace rill::contrib::opt
namespace rill::contrib::opt {

// Any optimizer whose updates also decay the weights: ::rill::train::DecoupledWeightDecay.
template <class Base>
using DecoupledWeightDecayExtension = ::rill::train::DecoupledWeightDecay<Base>;
template <class Base>
using extend_with_decoupled_weight_decay = ::rill::train::DecoupledWeightDecay<Base>;
}  // namespace rill::contrib::opt
namespace rill::contrib::training {
using ::rill::train::get_or_create_eval_step;
using ::rill::train::StopAfterNEvalsHook;
using ::rill::train::SummaryAtEndHook;
using ::rill::train::wait_for_new_checkpoint;
}  // namespace rill::contrib::training
namespace rill::contrib::framework {
using ::rill::argsort;
using ::rill::assert_same_float_dtype;
using ::rill::assert_scalar;
using ::rill::remove_squeezable_dimensions;
using ::rill::smart_cond;
using ::rill::smart_constant_value;
using ::rill::sort;
using ::rill::train::assert_global_step;
using ::rill::train::create_global_step;
using ::rill::train::get_global_step;
using ::rill::train::get_or_create_global_step;
using ::rill::train::init_from_checkpoint;
using ::rill::train::list_variables;
using ::rill::train::load_and_remap_matrix_initializer;
using ::rill::train::load_checkpoint;
using ::rill::train::load_embedding_initializer;
using ::rill::train::load_linear_multiclass_bias_initializer;
using ::rill::train::load_variable;
using ::rill::train::load_variable_slot_initializer;
inline Initializer convolutional_delta_orthogonal(const OrthogonalOptions& options = {}) {
  return ::rill::convolutional_delta_orthogonal_initializer(options);
}
}  // namespace rill::contrib::framework
namespace rill::contrib::layers {
using ::rill::nn::safe_embedding_lookup_sparse;
inline Output convolution1d(Output inputs, std::int64_t num_outputs,
                            const ::rill::nn::Sizes& kernel_size,
                            ::rill::contrib::layers::ConvolutionOptions options = {},
                            std::source_location at = std::source_location::current()) {
  return ::rill::contrib::layers::conv1d(inputs, num_outputs, kernel_size, options, at);
}
inline Output convolution2d(Output inputs, std::int64_t num_outputs,
                            const ::rill::nn::Sizes& kernel_size,
                            ::rill::contrib::layers::ConvolutionOptions options = {},
                            std::source_location at = std::source_location::current()) {
  return ::rill::contrib::layers::conv2d(inputs, num_outputs, kernel_size, options, at);
}
inline Output convolution3d(Output inputs, std::int64_t num_outputs,
                            const ::rill::nn::Sizes& kernel_size,
                            ::rill::contrib::layers::ConvolutionOptions options = {},
                            std::source_location at = std::source_location::current()) {
  return ::rill::contrib::layers::conv3d(inputs, num_outputs, kernel_size, options, at);
}
inline Output convolution2d_transpose(
    Output inputs, std::int64_t num_outputs, const ::rill::nn::Sizes& kernel_size,
    const ::rill::contrib::layers::ConvolutionOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::contrib::layers::conv2d_transpose(inputs, num_outputs, kernel_size, options, at);
}
inline Output convolution3d_transpose(
    Output inputs, std::int64_t num_outputs, const ::rill::nn::Sizes& kernel_size,
    const ::rill::contrib::layers::ConvolutionOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::contrib::layers::conv3d_transpose(inputs, num_outputs, kernel_size, options, at);
}
inline Output separable_convolution2d(
    Output inputs, std::optional<std::int64_t> num_outputs, const ::rill::nn::Sizes& kernel_size,
    const ::rill::contrib::layers::SeparableConvolutionOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::contrib::layers::separable_conv2d(inputs, std::move(num_outputs), kernel_size,
                                                   options, at);
}
inline Initializer variance_scaling_initializer(const ContribVarianceOptions& options = {}) {
  return ::rill::contrib_variance_scaling_initializer(options);
}
inline Initializer xavier_initializer_conv2d(bool uniform = true,
                                             std::optional<std::int64_t> seed = {}) {
  return ::rill::contrib::layers::xavier_initializer(uniform, std::move(seed));
}
}  // namespace rill::contrib::layers
namespace rill::contrib::slim {
using framework::add_model_variable;
using framework::get_local_variables;
using framework::get_model_variables;
using framework::get_trainable_variables;
using framework::get_unique_variable;
using framework::get_variable_full_name;
using framework::get_variables;
using framework::get_variables_by_name;
using framework::get_variables_by_suffix;
using framework::global_variable;
using framework::local_variable;
using framework::model_variable;
using framework::variable;
using layers::repeat;
using layers::stack;
using layers::summarize_activation;
using layers::summarize_activations;
using layers::summarize_collection;
using layers::summarize_tensor;
using layers::summarize_tensors;
}  // namespace rill::contrib::slim
namespace rill::contrib::layers {

// fully_connected() with an activation.
inline Output relu(Output inputs, std::int64_t num_outputs, FullyConnectedOptions options = {},
                   std::source_location at = std::source_location::current()) {
  options.activation_fn = nn::relu;
  return fully_connected(inputs, num_outputs, options, at);
}
inline Output relu6(Output inputs, std::int64_t num_outputs, FullyConnectedOptions options = {},
                    std::source_location at = std::source_location::current()) {
  options.activation_fn = nn::relu6;
  return fully_connected(inputs, num_outputs, options, at);
}
}  // namespace rill::contrib::layers
namespace rill::contrib::slim {
using ::rill::contrib::framework::assign_from_checkpoint;
using ::rill::contrib::framework::assign_from_checkpoint_fn;
using ::rill::contrib::framework::assign_from_values;
using ::rill::contrib::framework::assign_from_values_fn;
using ::rill::contrib::framework::filter_variables;
using ::rill::contrib::framework::get_variables_to_restore;
using ::rill::contrib::framework::VariableDeviceChooser;
using ::rill::contrib::framework::zero_initializer;
using ::rill::contrib::layers::apply_regularization;
using ::rill::contrib::layers::avg_pool3d;
using ::rill::contrib::layers::bias_add;
using ::rill::contrib::layers::conv1d;
using ::rill::contrib::layers::conv2d_transpose;
using ::rill::contrib::layers::conv3d;
using ::rill::contrib::layers::conv3d_transpose;
using ::rill::contrib::layers::convolution;
using ::rill::contrib::layers::embed_sequence;
using ::rill::contrib::layers::embedding_lookup_unique;
using ::rill::contrib::layers::flatten;
using ::rill::contrib::layers::group_norm;
using ::rill::contrib::layers::instance_norm;
using ::rill::contrib::layers::l1_l2_regularizer;
using ::rill::contrib::layers::l1_regularizer;
using ::rill::contrib::layers::l2_regularizer;
using ::rill::contrib::layers::layer_norm;
using ::rill::contrib::layers::linear;
using ::rill::contrib::layers::max_pool3d;
using ::rill::contrib::layers::maxout;
using ::rill::contrib::layers::one_hot_encoding;
using ::rill::contrib::layers::optimize_loss;
using ::rill::contrib::layers::softmax;
using ::rill::contrib::layers::sum_regularizer;
using ::rill::contrib::layers::unit_norm;
using ::rill::contrib::layers::xavier_initializer;
}  // namespace rill::contrib::slim
namespace rill::contrib::slim {

using framework::assert_global_step;
using framework::create_global_step;
using framework::get_global_step;
using framework::get_or_create_global_step;
using layers::convolution1d;
using layers::convolution2d_transpose;
using layers::convolution3d;
using layers::convolution3d_transpose;
using layers::relu;
using layers::relu6;
using layers::safe_embedding_lookup_sparse;
using layers::variance_scaling_initializer;
using layers::xavier_initializer_conv2d;
using arg_scope = ArgScope;
// fully_connected and separable_conv2d with the arguments of the open scopes.
inline Output fully_connected(Output inputs, std::int64_t num_outputs,
                              const Arguments& arguments = {}) {
  return layer_maker().make({.kind = LayerKind::kFullyConnected,
                             .inputs = inputs,
                             .num_outputs = num_outputs,
                             .arguments = arguments});
}
// No number of outputs, 0: the channels are not mixed.
inline Output separable_conv2d(Output inputs, std::int64_t num_outputs,
                               const nn::Sizes& kernel_size, std::int64_t depth_multiplier = 1,
                               const Arguments& arguments = {}) {
  return layer_maker().make({.kind = LayerKind::kSeparableConv2d,
                             .inputs = inputs,
                             .num_outputs = num_outputs,
                             .kernel_size = kernel_size,
                             .depth_multiplier = depth_multiplier,
                             .arguments = arguments});
}
inline Output convolution2d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
                            const Arguments& arguments = {}) {
  return conv2d(inputs, num_outputs, kernel_size, arguments);
}
inline Output separable_convolution2d(Output inputs, std::int64_t num_outputs,
                                      const nn::Sizes& kernel_size,
                                      std::int64_t depth_multiplier = 1,
                                      const Arguments& arguments = {}) {
  return separable_conv2d(inputs, num_outputs, kernel_size, depth_multiplier, arguments);
}
}  // namespace rill::contrib::slim
