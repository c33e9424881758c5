#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/gradients.h"
#include "rill/api/functional/functional_ops.h"
#include "rill/api/gen/plain_ops.h"
#include "rill/api/keras/activations.h"
#include "rill/api/keras/backend.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/nn.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/sparse/sparse_ops.h"
#include "rill/runtime/session/session.h"

// tf.keras.backend: its names for functions of tf.
namespace rill::keras::backend {
using ::rill::abs;
using ::rill::argmax;
using ::rill::argmin;
using ::rill::cast;
using ::rill::constant;
using ::rill::cos;
using ::rill::cumprod;
using ::rill::cumsum;
using ::rill::equal;
using ::rill::exp;
using ::rill::expand_dims;
using ::rill::eye;
using ::rill::foldl;
using ::rill::foldr;
using ::rill::gather;
using ::rill::greater;
using ::rill::greater_equal;
using ::rill::less;
using ::rill::less_equal;
using ::rill::log;
using ::rill::map_fn;
using ::rill::maximum;
using ::rill::minimum;
using ::rill::not_equal;
using ::rill::one_hot;
using ::rill::ones;
using ::rill::ones_like;
using ::rill::pow;
using ::rill::random_normal;
using ::rill::random_uniform;
using ::rill::reshape;
using ::rill::reverse;
using ::rill::round;
using ::rill::shape;
using ::rill::sign;
using ::rill::sin;
using ::rill::sqrt;
using ::rill::square;
using ::rill::squeeze;
using ::rill::stack;
using ::rill::stop_gradient;
using ::rill::tile;
using ::rill::transpose;
using ::rill::truncated_normal;
using ::rill::zeros;
using ::rill::zeros_like;

using activations::elu;
using activations::hard_sigmoid;
using activations::relu;
using activations::sigmoid;
using activations::softmax;
using activations::softplus;
using activations::softsign;
using activations::tanh;
using ::rill::nn::in_top_k;
}  // namespace rill::keras::backend
namespace rill::keras::backend {

struct ReduceAxes {
  OptionalInput axis{};  // all
  bool keepdims = false;
};
inline Output sum(const Input& x, const ReduceAxes& o = {},
                  std::source_location at = std::source_location::current()) {
  return rill::reduce_sum(x, {.axis = o.axis, .keepdims = o.keepdims, .name = {}}, at);
}
inline Output prod(const Input& x, const ReduceAxes& o = {},
                   std::source_location at = std::source_location::current()) {
  return rill::reduce_prod(x, {.axis = o.axis, .keepdims = o.keepdims, .name = {}}, at);
}
inline Output max(const Input& x, const ReduceAxes& o = {},
                  std::source_location at = std::source_location::current()) {
  return rill::reduce_max(x, {.axis = o.axis, .keepdims = o.keepdims, .name = {}}, at);
}
inline Output min(const Input& x, const ReduceAxes& o = {},
                  std::source_location at = std::source_location::current()) {
  return rill::reduce_min(x, {.axis = o.axis, .keepdims = o.keepdims, .name = {}}, at);
}
// Booleans and integers count as numbers of floatx(); any() and all() take numbers as true where
// they are not 0.
Output mean(const Input& x, const ReduceAxes& options = {},
            std::source_location at = std::source_location::current());
Output any(const Input& x, const ReduceAxes& options = {},
           std::source_location at = std::source_location::current());
Output all(const Input& x, const ReduceAxes& options = {},
           std::source_location at = std::source_location::current());
Output var(const Input& x, const ReduceAxes& options = {},
           std::source_location at = std::source_location::current());
Output std(const Input& x, const ReduceAxes& options = {},
           std::source_location at = std::source_location::current());
// Brought to [min_value, max_value].
Output clip(const Input& x, const Input& min_value, const Input& max_value,
            std::source_location at = std::source_location::current());
Output concatenate(const Inputs& tensors, int axis = -1,
                   std::source_location at = std::source_location::current());
Output flatten(const Input& x,
               std::source_location at = std::source_location::current());  // one dimension
// The dimensions in another order.
Output permute_dimensions(const Input& x, const std::vector<std::int64_t>& pattern,
                          std::source_location at = std::source_location::current());
Output arange(const Input& start, const OptionalInput& stop = {}, const Input& step = 1,
              DType dtype = DType::i32, std::source_location at = std::source_location::current());
Output cast_to_floatx(const Input& x);
// One of two values by a condition; a condition of fewer dimensions counts for all of them that
// follow.
Output switch_(const Input& condition, const std::function<Output()>& then_expression,
               const std::function<Output()>& else_expression,
               std::source_location at = std::source_location::current());
// 1 where a random number is below p, else 0.
struct RandomBinomialOptions {
  double p = 0.0;
  DType dtype = DType::invalid;
  std::optional<std::int64_t> seed{};
};
Output random_binomial(const ShapeInput& shape, const RandomBinomialOptions& options = {},
                       std::source_location at = std::source_location::current());
Output in_test_phase(const std::function<Output()>& testing,
                     const std::function<Output()>& training, const OptionalInput& is_training = {},
                     std::source_location at = std::source_location::current());
// The learning phase while it lives.
class learning_phase_scope {
 public:
  explicit learning_phase_scope(bool value) { set_learning_phase(value); }
  ~learning_phase_scope() { set_learning_phase({}); }
  learning_phase_scope(const learning_phase_scope&) = delete;
  learning_phase_scope& operator=(const learning_phase_scope&) = delete;
};
using name_scope = NameScope;

// --- facts ---
inline std::string_view dtype(const Output& x) { return dtype_name(x.dtype()); }
inline std::string_view dtype(const Variable& x) { return dtype_name(x.dtype()); }
// The number of dimensions; none where it is not known.
std::optional<int> ndim(const Output& x);
// Sizes, -1 where one is not known; none where the rank is not known.
std::optional<std::vector<std::int64_t>> int_shape(const Output& x);
std::optional<std::vector<std::int64_t>> int_shape(const Variable& x);
std::int64_t count_params(const Variable& x);  // elements
inline bool is_sparse(const Output&) { return false; }
inline bool is_sparse(const SparseTensor&) { return true; }
inline Output to_dense(const Output& x) { return x; }
inline Output to_dense(const SparseTensor& x) { return sparse::to_dense(x); }

// --- placeholders and variables ---
struct PlaceholderOptions {
  std::optional<PartialShape> shape{};
  std::optional<int> ndim{};
  DType dtype = DType::invalid;
  std::string name{};
};
Output placeholder(const PlaceholderOptions& options,
                   std::source_location at = std::source_location::current());
struct VariableOptions {
  DType dtype = DType::invalid;
  std::string name{};
};
Variable variable(const rill::Input& value, const VariableOptions& options = {},
                  std::source_location at = std::source_location::current());
struct RandomVariableOptions {
  DType dtype = DType::invalid;
  std::optional<std::int64_t> seed{};
  std::string name{};
};
Variable random_uniform_variable(const ShapeInput& shape, double low, double high,
                                 const RandomVariableOptions& options = {},
                                 std::source_location at = std::source_location::current());
Variable random_normal_variable(const ShapeInput& shape, double mean, double scale,
                                const RandomVariableOptions& options = {},
                                std::source_location at = std::source_location::current());
inline Output update(const Variable& x, const Input& new_x) { return x.assign(new_x); }
inline Output update_add(const Variable& x, const Input& increment) {
  return x.assign_add(increment);
}
inline Output update_sub(const Variable& x, const Input& decrement) {
  return x.assign_sub(decrement);
}
std::vector<Output> gradients(const Output& loss, const std::vector<Variable>& variables,
                              std::source_location at = std::source_location::current());

// --- values, in the session of the default graph ---
// The one that set_session() named, else one that is made. Its variables get their initial values
// before the next run.
Session& get_session();
void set_session(std::shared_ptr<Session> session);
void clear_session();  // and a new default graph
Tensor get_value(const Variable& x);
Tensor eval(const Output& x);
void set_value(const Variable& x, const Tensor& value);
std::vector<Tensor> batch_get_value(const std::vector<Variable>& tensors);
void batch_set_value(const std::vector<std::pair<Variable, Tensor>>& tuples);
// A function of arrays: feeds inputs, runs updates, returns outputs.
using ArrayFunction = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
ArrayFunction function(const std::vector<Output>& inputs, const std::vector<Output>& outputs,
                       const std::vector<Output>& updates = {});

// --- windows, by their number of dimensions ---
inline Output conv1d(const Input& x, const Input& kernel, const WindowOptions& options = {},
                     std::source_location at = std::source_location::current()) {
  return conv(x, kernel, options, at);
}
inline Output conv2d(const Input& x, const Input& kernel, const WindowOptions& options = {},
                     std::source_location at = std::source_location::current()) {
  return conv(x, kernel, options, at);
}
inline Output conv3d(const Input& x, const Input& kernel, const WindowOptions& options = {},
                     std::source_location at = std::source_location::current()) {
  return conv(x, kernel, options, at);
}
inline Output conv2d_transpose(const Input& x, const Input& kernel, const Input& output_shape,
                               const WindowOptions& options = {},
                               std::source_location at = std::source_location::current()) {
  return conv_transpose(x, kernel, output_shape, options, at);
}
inline Output separable_conv2d(const Input& x, const Input& depthwise_kernel,
                               const Input& pointwise_kernel, const WindowOptions& options = {},
                               std::source_location at = std::source_location::current()) {
  return separable_conv(x, depthwise_kernel, pointwise_kernel, options, at);
}
inline Output pool2d(const Input& x, const std::vector<std::int64_t>& pool_size,
                     const WindowOptions& options = {}, const std::string& pool_mode = "max",
                     std::source_location at = std::source_location::current()) {
  return pool(x, pool_size, pool_mode, options, at);
}
inline Output pool3d(const Input& x, const std::vector<std::int64_t>& pool_size,
                     const WindowOptions& options = {}, const std::string& pool_mode = "max",
                     std::source_location at = std::source_location::current()) {
  return pool(x, pool_size, pool_mode, options, at);
}
inline Output temporal_padding(const Input& x,
                               std::pair<std::int64_t, std::int64_t> padding = {1, 1},
                               std::source_location at = std::source_location::current()) {
  return spatial_padding(x, {padding}, "channels_last", at);
}
inline Output spatial_2d_padding(const Input& x, const Margins& padding = {{1, 1}, {1, 1}},
                                 const std::string& data_format = {},
                                 std::source_location at = std::source_location::current()) {
  return spatial_padding(x, padding, data_format, at);
}
inline Output spatial_3d_padding(const Input& x, const Margins& padding = {{1, 1}, {1, 1}, {1, 1}},
                                 const std::string& data_format = {},
                                 std::source_location at = std::source_location::current()) {
  return spatial_padding(x, padding, data_format, at);
}
inline Output resize_images(const Input& x, std::int64_t height_factor, std::int64_t width_factor,
                            const std::string& data_format,
                            const std::string& interpolation = "nearest",
                            std::source_location at = std::source_location::current()) {
  return upsample(x, {height_factor, width_factor}, data_format, interpolation, at);
}
inline Output resize_volumes(const Input& x, std::int64_t depth_factor, std::int64_t height_factor,
                             std::int64_t width_factor, const std::string& data_format,
                             std::source_location at = std::source_location::current()) {
  return upsample(x, {depth_factor, height_factor, width_factor}, data_format, "nearest", at);
}
inline Output local_conv1d(const Input& inputs, const Input& kernel,
                           const std::vector<std::int64_t>& kernel_size,
                           const std::vector<std::int64_t>& strides,
                           const std::vector<std::int64_t>& output_size,
                           const std::string& data_format = {},
                           std::source_location at = std::source_location::current()) {
  return local_conv(inputs, kernel, kernel_size, strides, output_size, data_format, at);
}
inline Output local_conv2d(const Input& inputs, const Input& kernel,
                           const std::vector<std::int64_t>& kernel_size,
                           const std::vector<std::int64_t>& strides,
                           const std::vector<std::int64_t>& output_size,
                           const std::string& data_format = {},
                           std::source_location at = std::source_location::current()) {
  return local_conv(inputs, kernel, kernel_size, strides, output_size, data_format, at);
}
}  // namespace rill::keras::backend
