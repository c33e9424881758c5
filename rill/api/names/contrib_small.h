#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rill/api/feature_column/input_layer.h"
#include "rill/api/layers/contrib_small_layers.h"
#include "rill/api/metrics/contrib.h"
#include "rill/api/names/framework.h"
#include "rill/api/rnn/independent_cells.h"
#include "rill/api/train/contrib_optimizers.h"
#include "rill/api/train/device_setter.h"

// tf.contrib: short functions, and names that several of its modules have.
namespace rill::contrib::slim {

using layers::bow_encoder;
using layers::conv2d_in_plane;
using layers::convolution2d_in_plane;
using layers::dense_to_sparse;
using layers::elu;
using layers::gdn;
using layers::images_to_sequence;
using layers::legacy_fully_connected;
using layers::legacy_linear;
using layers::legacy_relu;
using layers::recompute_grad;
using layers::scale_gradient;
using layers::sequence_to_images;
using layers::spatial_softmax;

using feature_column::InputLayer;

// What a model is asked for, as heads of tf.contrib.learn say it.
enum class ProblemType {
  UNSPECIFIED,
  CLASSIFICATION,
  LINEAR_REGRESSION,
  LOGISTIC_REGRESSION,
};

struct PoolOptions {
  std::string padding = "VALID";
  std::string data_format = {};  // channels last
  nn::Sizes dilation_rate = 1, stride = 1;
  std::vector<std::string> outputs_collections = {};
  rill::layers::ScopeChoice scope = {};  // none: "max_pool" or "avg_pool", made unique
};
// Over as many dimensions as the window has; `pooling_type` is "MAX" or "AVG".
Output pool(Output inputs, const nn::Sizes& kernel_size, const std::string& pooling_type,
            const PoolOptions& options = {},
            std::source_location at = std::source_location::current());

// In which bucket each number lies: how many of the boundaries, which grow, are not above it.
Output bucketize(const Input& input_tensor, const std::vector<float>& boundaries,
                 const std::string& name = {},
                 std::source_location at = std::source_location::current());

// A summary of each variable, each of the weights, each of the biases.
std::vector<Output> summarize_variables(const std::string& name_filter = {},
                                        const layers::Summarizer& summarizer = {});
std::vector<Output> summarize_weights(const std::string& name_filter = {},
                                      const layers::Summarizer& summarizer = {});
std::vector<Output> summarize_biases(const std::string& name_filter = {},
                                     const layers::Summarizer& summarizer = {});

}  // namespace rill::contrib::slim

namespace rill::contrib::lookup {

// The number of each text in `mapping`, and the text of each number; the table is one of
// tables_initializer().
Output string_to_index(const Input& tensor, const Input& mapping, std::int64_t default_value = -1,
                       std::source_location at = std::source_location::current());
Output index_to_string(const Input& tensor, const Input& mapping,
                       const std::string& default_value = "UNK",
                       std::source_location at = std::source_location::current());

}  // namespace rill::contrib::lookup

namespace rill::contrib::metrics {

// The shares of negative labels taken for positive, and of positive ones for negative, at each
// threshold.
Metric streaming_false_positive_rate_at_thresholds(
    const Input& predictions, const Input& labels, const rill::metrics::Thresholds& thresholds,
    const MetricOptions& options = {}, std::source_location at = std::source_location::current());
Metric streaming_false_negative_rate_at_thresholds(
    const Input& predictions, const Input& labels, const rill::metrics::Thresholds& thresholds,
    const MetricOptions& options = {}, std::source_location at = std::source_location::current());

}  // namespace rill::contrib::metrics

namespace rill::contrib::framework {

// `tensor`, which has the expected shape: known from here on, and checked in the step where it was
// not known before. Throws InvalidArgument where it has another one.
Output with_shape(const Input& expected_shape, const Input& tensor,
                  std::source_location at = std::source_location::current());
// The same with the shape of another tensor.
Output with_same_shape(const Output& expected_tensor, const Output& tensor,
                       std::source_location at = std::source_location::current());

// The shape and type of a tensor, and between which values it lies.
struct BoundedTensorSpec {
  PartialShape shape = {};
  DType dtype = DType::invalid;
  Tensor minimum = {}, maximum = {};  // broadcast to the shape
  std::string name = {};
};

}  // namespace rill::contrib::framework

namespace rill::contrib::training {

// How many bytes the output of an operation takes; 0 where its shape is not known.
double byte_size_load_fn(Node& op);

// For ReplicaDeviceOptions::ps_strategy: the task with the least load so far.
class GreedyLoadBalancingStrategy {
 public:
  GreedyLoadBalancingStrategy(std::int64_t num_tasks, std::function<double(Node&)> load_fn);
  std::int64_t operator()(Node& op);

 private:
  std::function<double(Node&)> load_of_;
  std::vector<double> loads_;
};

// Any task, the same ones for the same seed.
class RandomStrategy {
 public:
  explicit RandomStrategy(std::int64_t num_ps_tasks, std::uint32_t seed = 0)
      : tasks_(num_ps_tasks), state_(seed) {}
  std::int64_t operator()(Node& op);

 private:
  std::int64_t tasks_;
  std::uint64_t state_;
};

}  // namespace rill::contrib::training
