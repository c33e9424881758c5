#include "rill/api/names/contrib_small.h"

#include <algorithm>

#include "rill/api/array/shapes.h"
#include "rill/api/core/collections.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/static_value.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/math.h"
#include "rill/api/layers/contrib_scope.h"
#include "rill/api/lookup/vocabularies.h"
#include "rill/api/math/operators.h"
#include "rill/api/metrics/parts.h"
#include "rill/api/nn/pooling.h"
#include "rill/base/error.h"

namespace rill::contrib::slim {

Output pool(Output inputs, const nn::Sizes& kernel_size, const std::string& pooling_type,
            const PoolOptions& o, std::source_location at) {
  std::string name = pooling_type + "_pool";
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto in = layers::model_scope(o.scope, name, Reuse::kUnset, {}, at);
  require(inputs.shape().has_rank(), "Rank of inputs must be known");
  const int spatial = inputs.shape().rank() - 2;
  const Output pooled =
      nn::pool(inputs, kernel_size.of_space(spatial, "kernel_size"), pooling_type, o.padding,
               {.dilation_rate = layers::for_each_dimension(o.dilation_rate, spatial),
                .strides = layers::for_each_dimension(o.stride, spatial),
                .data_format = o.data_format},
               at);
  return layers::collect_named_output(o.outputs_collections, in->scope()->name, pooled);
}

Output bucketize(const Input& input_tensor, const std::vector<float>& boundaries,
                 const std::string& name, std::source_location at) {
  return raw::Bucketize(input_tensor, boundaries, {.name = name}, at);
}

std::vector<Output> summarize_variables(const std::string& name_filter,
                                        const layers::Summarizer& summarizer) {
  return layers::summarize_collection(std::string(GraphKeys::GLOBAL_VARIABLES), name_filter,
                                      summarizer);
}

std::vector<Output> summarize_weights(const std::string& name_filter,
                                      const layers::Summarizer& summarizer) {
  return layers::summarize_collection(std::string(GraphKeys::WEIGHTS), name_filter, summarizer);
}

std::vector<Output> summarize_biases(const std::string& name_filter,
                                     const layers::Summarizer& summarizer) {
  return layers::summarize_collection(std::string(GraphKeys::BIASES), name_filter, summarizer);
}

}  // namespace rill::contrib::slim

namespace rill::contrib::lookup {

Output string_to_index(const Input& tensor, const Input& mapping, std::int64_t default_value,
                       std::source_location at) {
  return rill::lookup::index_table_from_tensor(mapping, {.default_value = default_value}, at)
      ->lookup(as_tensor(tensor));
}

Output index_to_string(const Input& tensor, const Input& mapping, const std::string& default_value,
                       std::source_location at) {
  return rill::lookup::index_to_string_table_from_tensor(mapping, {.default_value = default_value},
                                                         at)
      ->lookup(as_tensor(tensor));
}

}  // namespace rill::contrib::lookup

namespace rill::contrib::metrics {
namespace {

// One count among itself and another, at each threshold.
Metric rate_at_thresholds(const std::string& kind, const std::string& letters,
                          rill::metrics::Outcome wrong, rill::metrics::Outcome right,
                          const Input& predictions, const Input& labels,
                          const rill::metrics::Thresholds& thresholds, const MetricOptions& options,
                          std::source_location at) {
  using rill::metrics::read;
  const auto scope =
      rill::metrics::open_scope(options.name, (kind + "_rate_at_thresholds").c_str(), at);
  const auto counts = rill::metrics::count_at_thresholds(labels, predictions, thresholds,
                                                         options.weights, {wrong, right});
  const auto rate = [](const Output& misses, const Output& hits, const std::string& node_name) {
    return raw::RealDiv(misses, 1e-7f + misses + hits, {.name = node_name});
  };
  const Output value =
      rate(read(counts[wrong].value), read(counts[right].value), letters + "_value");
  const Output update =
      rate(read(counts[wrong].update), read(counts[right].update), letters + "_update_op");
  return rill::metrics::collected(value, update, options);
}

}  // namespace

Metric streaming_false_positive_rate_at_thresholds(const Input& predictions, const Input& labels,
                                                   const rill::metrics::Thresholds& thresholds,
                                                   const MetricOptions& options,
                                                   std::source_location at) {
  return rate_at_thresholds("false_positive", "fpr", rill::metrics::kFalsePositive,
                            rill::metrics::kTrueNegative, predictions, labels, thresholds, options,
                            at);
}

Metric streaming_false_negative_rate_at_thresholds(const Input& predictions, const Input& labels,
                                                   const rill::metrics::Thresholds& thresholds,
                                                   const MetricOptions& options,
                                                   std::source_location at) {
  return rate_at_thresholds("false_negative", "fnr", rill::metrics::kFalseNegative,
                            rill::metrics::kTruePositive, predictions, labels, thresholds, options,
                            at);
}

}  // namespace rill::contrib::metrics

namespace rill::contrib::framework {
namespace {

// The shape that a vector of sizes says, where it is known; a size of -1 is not.
PartialShape stated_shape(const Output& sizes) {
  const std::optional<Tensor> known = static_value(sizes);
  if (!known || known->dtype() != DType::i32) return {};
  PartialShape shape = PartialShape::scalar();
  for (std::int64_t i = 0; i < known->element_count(); ++i)
    shape.add_dim(known->data<std::int32_t>()[i]);
  return shape;
}

Output shape_checked(const Output& expected, const PartialShape& known, const Output& tensor) {
  require(known.is_compatible(tensor.shape()), "Invalid shape for tensor ", tensor.name(),
          ", expected ", known, ", got ", tensor.shape(), ".");
  if (known.is_full() && tensor.shape().is_full()) return tensor;
  Node& check = debugging::assert_equal(
      expected, shape(tensor),
      {.message = "Wrong shape for " + tensor.name() + " [expected] [actual]."});
  const Output checked = with_dependencies({&check}, tensor);
  checked.set_shape(known);
  return checked;
}

}  // namespace

Output with_shape(const Input& expected_shape, const Input& tensor, std::source_location at) {
  const Block in("with_shape", "with_shape", at);
  const Output expected = as_tensor(expected_shape, "expected_shape", DType::i32);
  return shape_checked(expected, stated_shape(expected), as_tensor(tensor));
}

Output with_same_shape(const Output& expected_tensor, const Output& tensor,
                       std::source_location at) {
  const Block in("with_same_shape", "with_same_shape", at);
  if (expected_tensor.shape().is_full() && tensor.shape().is_full())
    return shape_checked({}, expected_tensor.shape(), tensor);
  return shape_checked(shape(expected_tensor), expected_tensor.shape(), tensor);
}

}  // namespace rill::contrib::framework

namespace rill::contrib::training {

double byte_size_load_fn(Node& op) {
  require(op.output_count() == 1, "Op ", op.name(), " must have a single output");
  const PartialShape& known = op.output(0).shape();
  if (!known.is_full()) return 0;
  return static_cast<double>(known.full().element_count()) *
         static_cast<double>(element_size(base_type(op.output(0).dtype())));
}

GreedyLoadBalancingStrategy::GreedyLoadBalancingStrategy(std::int64_t num_tasks,
                                                         std::function<double(Node&)> load_fn)
    : load_of_(std::move(load_fn)), loads_(static_cast<std::size_t>(num_tasks)) {
  require(num_tasks > 0, "there must be a task");
}

std::int64_t GreedyLoadBalancingStrategy::operator()(Node& op) {
  const auto least = std::ranges::min_element(loads_);
  *least += load_of_(op);
  return least - loads_.begin();
}

std::int64_t RandomStrategy::operator()(Node&) {
  require(tasks_ > 0, "there must be a task");
  state_ = state_ * 6364136223846793005u + 1442695040888963407u;
  return static_cast<std::int64_t>((state_ >> 33) % static_cast<std::uint64_t>(tasks_));
}

}  // namespace rill::contrib::training
