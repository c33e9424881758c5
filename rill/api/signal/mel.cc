#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/signal/frames.h"
#include "rill/api/signal/signal_parts.h"
#include "rill/api/signal/transforms.h"
#include "rill/graph/whole_number.h"

namespace rill::signal {
namespace {

std::optional<double> known_rate(const Input& rate) {
  if (!rate.is_value()) return {};
  const Tensor value = rate.value(DType::f64);
  require(value.rank() == 0, "sample_rate must be a scalar, got shape ", value.shape());
  return *value.data<double>();
}

void check_mel_options(const MelWeightMatrixOptions& options) {
  require(options.num_mel_bins > 0, "num_mel_bins must be positive. Got: ", options.num_mel_bins);
  const double low = options.lower_edge_hertz, high = options.upper_edge_hertz;
  require(low >= 0, "lower_edge_hertz must be non-negative. Got: ", low);
  require(low < high, "lower_edge_hertz ", low, " >= upper_edge_hertz ", high);
  if (const auto rate = known_rate(options.sample_rate)) {
    require(*rate > 0, "sample_rate must be positive. Got: ", *rate);
    require(
        high <= *rate / 2,
        "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). Got ",
        high, " for sample_rate: ", *rate);
  }
  require(kFloatTypes.contains(options.dtype),
          "dtype must be a floating point type. Got: <dtype: '", numpy_name(options.dtype), "'>");
}

// O'Shaughnessy's scale.
Output hertz_to_mel(Output hertz) {
  const Block in("", "hertz_to_mel", std::source_location::current());
  const Output ratio = hertz / 700.0;
  return 1127.0 * raw::Log(1.0 + ratio);
}

Output steps(Output from, Output to, const Input& count) {
  return raw::LinSpace(from, to, count, {.name = "linspace"});
}

}  // namespace

Output linear_to_mel_weight_matrix(const MelWeightMatrixOptions& options, std::source_location at) {
  check_mel_options(options);
  const Block in(options.name, "linear_to_mel_weight_matrix", at);
  const DType dtype = options.dtype;
  const Output rate = cast(options.sample_rate, dtype, {.name = "sample_rate"});
  const Output lower = as_tensor(options.lower_edge_hertz, "lower_edge_hertz", dtype);
  const Output upper = as_tensor(options.upper_edge_hertz, "upper_edge_hertz", dtype);
  const Output zero = as_tensor(0.0, "Const", dtype);
  // The first bin, of frequency zero, belongs to no band.
  const Output frequencies =
      parts::range_of(steps(zero, rate / 2.0, options.num_spectrogram_bins), 1, {});
  const Output bins = expand_dims(hertz_to_mel(frequencies), 1);
  const Output low = hertz_to_mel(lower), high = hertz_to_mel(upper);
  const Output edges = frame(steps(low, high, whole_number(options.num_mel_bins + 2)), 3, 1);
  std::vector<Output> bounds;
  for (const Output& column : split(edges, 3, {.axis = 1}))
    bounds.push_back(raw::Reshape(column, parts::ints({1, options.num_mel_bins})));
  const Output rise = bins - bounds[0], rise_width = bounds[1] - bounds[0];
  const Output rising = rise / rise_width;
  const Output fall = bounds[2] - bins, fall_width = bounds[2] - bounds[1];
  const Output falling = fall / fall_width;
  const Output weights = raw::Maximum(zero, raw::Minimum(rising, falling));
  const Tensor above = Tensor::vector<std::int32_t>({1, 0, 0, 0}).reshaped({2, 2});
  return pad(weights, above, {.name = in.own_name()});
}

Output mfccs_from_log_mel_spectrograms(const Input& input, const MfccOptions& options,
                                       std::source_location at) {
  const Block in(options.name, "mfccs_from_log_mel_spectrograms", at);
  const Output logs = as_tensor(input, "log_mel_spectrograms");
  const PartialShape& shape = logs.shape();
  const std::int64_t known = shape.rank() > 0 ? shape[shape.rank() - 1] : -1;
  require(known != 0, "num_mel_bins must be positive. Got: ", logs);
  const Extent bins = known > 0 ? Extent(known) : Extent(parts::item(rill::shape(logs), -1));
  const Output cosines = dct(logs, {.type = 2});
  const Output twice = cast(bins.input(), DType::f32) * 2.0;
  return cosines * raw::Rsqrt(twice);
}

}  // namespace rill::signal
