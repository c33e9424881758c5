#include "rill/ops/quantize/fake_quant_columns.h"

#include <cmath>

#include "rill/base/error.h"

namespace rill {
namespace {

struct NudgedRange {
  float low = 0, high = 0, scale = 0, inverse = 0, zero = 0;
};

NudgedRange nudged(float min, float max, const QuantLevels& levels) {
  if (min == 0 && max == 0) return {};
  const float scale = (max - min) / (levels.highest - levels.lowest);
  const float from_min = levels.lowest - min / scale;
  const float zero_level = from_min < levels.lowest    ? levels.lowest
                           : from_min > levels.highest ? levels.highest
                                                       : std::round(from_min);
  const float low = (levels.lowest - zero_level) * scale;
  const float high = (levels.highest - zero_level) * scale, inverse = 1.0f / scale;
  return {low, high, scale, inverse, std::floor(-low * inverse + 0.5f)};
}

}  // namespace

QuantLevels quant_levels(std::int64_t num_bits, bool narrow_range) {
  require(num_bits >= 2 && num_bits <= 16, "num_bits must be between 2 and 16, inclusive, but is ",
          num_bits);
  return {narrow_range ? 1.0f : 0.0f, static_cast<float>((1 << num_bits) - 1)};
}

QuantColumns quant_columns(std::span<const float> min, std::span<const float> max,
                           const QuantLevels& levels) {
  QuantColumns columns;
  const std::size_t count = min.size();
  if (count == 0) return columns;
  const std::size_t width = (QuantColumns::kMinWidth + count - 1) / count * count;
  for (std::size_t c = 0; c < width; ++c) {
    const NudgedRange range = nudged(min[c % count], max[c % count], levels);
    columns.low.push_back(range.low);
    columns.high.push_back(range.high);
    columns.scale.push_back(range.scale);
    columns.inverse.push_back(range.inverse);
    columns.zero.push_back(range.zero);
  }
  return columns;
}

}  // namespace rill
