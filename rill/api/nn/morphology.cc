#include "rill/api/nn/morphology.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"

namespace rill::nn {

Output dilation2d(const Input& input, const Input& filter, const std::vector<std::int64_t>& strides,
                  const std::vector<std::int64_t>& rates, const std::string& padding,
                  const MorphologyOptions& options, std::source_location at) {
  return raw::Dilation2D(input, filter, strides, rates, padding, {.name = options.name}, at);
}

Output erosion2d(const Input& value, const Input& kernel, const std::vector<std::int64_t>& strides,
                 const std::vector<std::int64_t>& rates, const std::string& padding,
                 const MorphologyOptions& options, std::source_location at) {
  const Block in(options.name, "erosion2d", at);
  const Output negative = raw::Neg(value);
  const Output reversed = raw::ReverseV2(kernel, parts::ints({0, 1}));
  return raw::Neg(
      raw::Dilation2D(negative, reversed, strides, rates, padding, {.name = in.own_name()}));
}

}  // namespace rill::nn
