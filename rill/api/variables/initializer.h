#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill {

// Of which larger variable the one to be initialised is a part.
struct PartitionInfo {
  std::vector<std::int64_t> full_shape = {}, var_offset = {};
};

// How a variable gets its first value: from a value, or from a function of its shape and type.
//
//   Initializer a = 0.5;
//   Initializer b = glorot_uniform_initializer();
//   Initializer c([](const Initializer::Request& r) { return ones(r.shape, {.dtype = r.dtype}); });
class Initializer {
 public:
  struct Request {
    Shape shape;
    DType dtype;
    const PartitionInfo* part = nullptr;  // none unless the variable is partitioned
  };
  using Make = std::function<Output(const Request&)>;

  Initializer() = default;  // none
  Initializer(Make make) : make_(std::move(make)) {}
  Initializer(std::initializer_list<Input> items) : value_(Input(items)) {}
  template <class T>
  requires std::is_convertible_v<T, Input> Initializer(T&& value)
      : value_(Input(std::forward<T>(value))) {}

  explicit operator bool() const { return value_.has_value() || make_; }
  const OptionalInput& value() const { return value_; }
  Output operator()(const Request& request) const { return make_(request); }

  // A function that knows the shape itself; empty where there is none. For shapes that are not
  // full.
  std::function<Output()> without_shape;
  std::shared_ptr<void> foreign;  // the object of another language that this stands for

 private:
  OptionalInput value_;
  Make make_;
};

// Each makes the tensors that TensorFlow's initializer of that name makes, to the bit for the same
// seeds. The function is called once, when the variable is made.
Initializer zeros_initializer();
Initializer ones_initializer();
struct ConstantInitializerOptions {
  bool verify_shape = false;  // the value must have the variable's shape
};
// A value with fewer elements than the variable is filled up with its last one. verify_shape throws
// TypeError instead.
Initializer constant_initializer(Input value, const ConstantInitializerOptions& options = {});

struct UniformInitializerOptions {
  Input minval = 0.0;
  OptionalInput maxval = {};  // 1 where values are floats
  std::optional<std::int64_t> seed = {};
};
Initializer random_uniform_initializer(const UniformInitializerOptions& options = {});
struct NormalInitializerOptions {
  Input mean = 0.0, stddev = 1.0;
  std::optional<std::int64_t> seed = {};
};
Initializer random_normal_initializer(const NormalInitializerOptions& options = {});
// Without values further than two deviations from the mean.
Initializer truncated_normal_initializer(const NormalInitializerOptions& options = {});

struct UnitScalingOptions {
  double factor = 1.0;
  std::optional<std::int64_t> seed = {};
};
// Uniform in +-factor * sqrt(3 / inputs), inputs being the product of all dimensions but the last.
Initializer uniform_unit_scaling_initializer(const UnitScalingOptions& options = {});

struct VarianceScalingOptions {
  double scale = 1.0;
  std::string mode = "fan_in";                    // fan_in, fan_out, fan_avg
  std::string distribution = "truncated_normal";  // normal, untruncated_normal, uniform
  std::optional<std::int64_t> seed = {};
};
// Values with variance scale / n, where n is the number of inputs of a unit (fan_in), of its
// outputs (fan_out) or their mean. "uniform" draws from +-sqrt(3 scale / n); "truncated_normal"
// widens the deviation by 1 / 0.8796 for what it cuts off. Throws InvalidArgument when an option is
// none of these, or the scale is not positive.
Initializer variance_scaling_initializer(const VarianceScalingOptions& options = {});
// Scale 1 with fan_avg (Glorot), 1 with fan_in (LeCun), 2 with fan_in (He).
Initializer glorot_uniform_initializer(std::optional<std::int64_t> seed = {});
Initializer glorot_normal_initializer(std::optional<std::int64_t> seed = {});
Initializer lecun_uniform_initializer(std::optional<std::int64_t> seed = {});
Initializer lecun_normal_initializer(std::optional<std::int64_t> seed = {});
Initializer he_uniform_initializer(std::optional<std::int64_t> seed = {});
Initializer he_normal_initializer(std::optional<std::int64_t> seed = {});

// The older form of tf.contrib.layers: another correction of the deviation, modes in capitals.
struct ContribVarianceOptions {
  double factor = 2.0;
  std::string mode = "FAN_IN";  // FAN_IN, FAN_OUT, FAN_AVG
  bool uniform = false;
  std::optional<std::int64_t> seed = {};
};
Initializer contrib_variance_scaling_initializer(const ContribVarianceOptions& options = {});

struct OrthogonalOptions {
  double gain = 1.0;
  std::optional<std::int64_t> seed = {};
};
// A matrix whose rows or columns are orthonormal, times gain; dimensions before the last count as
// rows. Fewer than two dimensions throw InvalidArgument.
Initializer orthogonal_initializer(const OrthogonalOptions& options = {});
// Zeros but for the middle of the window, which is orthogonal: a deep stack keeps lengths. Three to
// five dimensions, and no more inputs than outputs.
Initializer convolutional_delta_orthogonal_initializer(const OrthogonalOptions& options = {});
// gain * I, for matrices only.
Initializer identity_initializer(double gain = 1.0);

}  // namespace rill
