#include "rill/api/variables/initializer.h"

#include <cmath>

#include "rill/api/core/basic_ops.h"
#include "rill/api/random/random_ops.h"
#include "rill/graph/builders.h"

namespace rill {
namespace {

Input dims_of(const Shape& shape) {
  return Input(Input::MakeValue([shape](DType) { return shape_tensor(shape); }));
}

// How many values come into, and go out of, each element of a layer's weights.
struct Fans {
  double in, out;
};

Fans fans_of(const Shape& shape) {
  if (shape.rank() < 1) return {1, 1};
  if (shape.rank() == 1) return {double(shape[0]), double(shape[0])};
  if (shape.rank() == 2) return {double(shape[0]), double(shape[1])};
  double field = 1;
  for (int i = 0; i < shape.rank() - 2; ++i) field *= double(shape[i]);
  return {double(shape[shape.rank() - 2]) * field, double(shape[shape.rank() - 1]) * field};
}

Shape whole_shape(const Initializer::Request& request) {
  return request.part == nullptr ? request.shape : Shape(request.part->full_shape);
}

void check_scaling(const VarianceScalingOptions& o) {
  require(o.scale > 0, "`scale` must be positive float.");
  require(o.mode == "fan_in" || o.mode == "fan_out" || o.mode == "fan_avg",
          "Invalid `mode` argument: ", o.mode);
  require(o.distribution == "normal" || o.distribution == "uniform" ||
              o.distribution == "truncated_normal" || o.distribution == "untruncated_normal",
          "Invalid `distribution` argument: ", o.distribution);
}

double scaled(const VarianceScalingOptions& o, const Fans& fans) {
  if (o.mode == "fan_in") return o.scale / std::max(1.0, fans.in);
  if (o.mode == "fan_out") return o.scale / std::max(1.0, fans.out);
  return o.scale / std::max(1.0, (fans.in + fans.out) / 2);
}

// What is left of a normal distribution of deviation 1 beyond two deviations is cut off; the rest
// has this deviation.
constexpr double kTruncatedDeviation = 0.87962566103423978;

Output scale_variance(const VarianceScalingOptions& o, const Initializer::Request& r) {
  const double scale = scaled(o, fans_of(whole_shape(r)));
  const Input dims = dims_of(r.shape);
  if (o.distribution == "normal" || o.distribution == "truncated_normal")
    return truncated_normal(dims, {.mean = 0.0,
                                   .stddev = std::sqrt(scale) / kTruncatedDeviation,
                                   .dtype = r.dtype,
                                   .seed = o.seed});
  if (o.distribution == "untruncated_normal")
    return random_normal(
        dims, {.mean = 0.0, .stddev = std::sqrt(scale), .dtype = r.dtype, .seed = o.seed});
  const double limit = std::sqrt(3.0 * scale);
  return random_uniform(dims,
                        {.minval = -limit, .maxval = limit, .dtype = r.dtype, .seed = o.seed});
}

Initializer scaling(double scale, const char* mode, const char* distribution,
                    std::optional<std::int64_t> seed) {
  return variance_scaling_initializer({scale, mode, distribution, seed});
}

}  // namespace

Initializer zeros_initializer() {
  return Initializer::Make(
      [](const Initializer::Request& r) { return zeros(current_scope(), r.shape, r.dtype); });
}

Initializer random_uniform_initializer(const UniformInitializerOptions& o) {
  return Initializer::Make([o](const Initializer::Request& r) {
    return random_uniform(
        dims_of(r.shape),
        {.minval = o.minval, .maxval = o.maxval, .dtype = r.dtype, .seed = o.seed});
  });
}

Initializer random_normal_initializer(const NormalInitializerOptions& o) {
  return Initializer::Make([o](const Initializer::Request& r) {
    return random_normal(dims_of(r.shape),
                         {.mean = o.mean, .stddev = o.stddev, .dtype = r.dtype, .seed = o.seed});
  });
}

Initializer truncated_normal_initializer(const NormalInitializerOptions& o) {
  return Initializer::Make([o](const Initializer::Request& r) {
    return truncated_normal(dims_of(r.shape),
                            {.mean = o.mean, .stddev = o.stddev, .dtype = r.dtype, .seed = o.seed});
  });
}

Initializer uniform_unit_scaling_initializer(const UnitScalingOptions& o) {
  return Initializer::Make([o](const Initializer::Request& r) {
    const Shape whole = whole_shape(r);
    double inputs = 1;  // the last dimension is taken for the outputs
    for (int i = 0; i < whole.rank() - 1; ++i) inputs *= double(whole[i]);
    const double limit = std::sqrt(3 / std::max(inputs, 1.0)) * o.factor;
    return random_uniform(dims_of(r.shape),
                          {.minval = -limit, .maxval = limit, .dtype = r.dtype, .seed = o.seed});
  });
}

Initializer variance_scaling_initializer(const VarianceScalingOptions& o) {
  check_scaling(o);
  return Initializer::Make([o](const Initializer::Request& r) { return scale_variance(o, r); });
}

Initializer contrib_variance_scaling_initializer(const ContribVarianceOptions& o) {
  require(o.mode == "FAN_IN" || o.mode == "FAN_OUT" || o.mode == "FAN_AVG", "Unknown mode ", o.mode,
          " [FAN_IN, FAN_OUT, FAN_AVG]");
  return Initializer::Make([o](const Initializer::Request& r) {
    const Fans fans = fans_of(r.shape);
    const double n = o.mode == "FAN_IN"    ? fans.in
                     : o.mode == "FAN_OUT" ? fans.out
                                           : (fans.in + fans.out) / 2;
    const Input dims = dims_of(r.shape);
    if (!o.uniform)
      return truncated_normal(
          dims,
          {.mean = 0.0, .stddev = std::sqrt(1.3 * o.factor / n), .dtype = r.dtype, .seed = o.seed});
    const double limit = std::sqrt(3.0 * o.factor / n);
    return random_uniform(dims,
                          {.minval = -limit, .maxval = limit, .dtype = r.dtype, .seed = o.seed});
  });
}

Initializer glorot_uniform_initializer(std::optional<std::int64_t> seed) {
  return scaling(1, "fan_avg", "uniform", seed);
}
Initializer glorot_normal_initializer(std::optional<std::int64_t> seed) {
  return scaling(1, "fan_avg", "truncated_normal", seed);
}
Initializer lecun_uniform_initializer(std::optional<std::int64_t> seed) {
  return scaling(1, "fan_in", "uniform", seed);
}
Initializer lecun_normal_initializer(std::optional<std::int64_t> seed) {
  return scaling(1, "fan_in", "truncated_normal", seed);
}
Initializer he_uniform_initializer(std::optional<std::int64_t> seed) {
  return scaling(2, "fan_in", "uniform", seed);
}
Initializer he_normal_initializer(std::optional<std::int64_t> seed) {
  return scaling(2, "fan_in", "truncated_normal", seed);
}

}  // namespace rill
