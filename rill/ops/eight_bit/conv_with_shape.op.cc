#include "rill/ops/eight_bit/conv_with_shape.h"

#include "rill/ops/eight_bit/ranged_shape.h"
#include "rill/ops/nn/depthwise/depthwise_shape.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

AttrMap with_padding_list(AttrMap attrs) {
  const auto it = attrs.find("padding_list");
  if (it == attrs.end()) return attrs;
  Numbers given = attr<Numbers>(attrs, "padding_list");
  if (given.empty()) return attrs;
  attrs.insert_or_assign("padding", std::string("EXPLICIT"));
  attrs.insert_or_assign("explicit_paddings", std::move(given));
  return attrs;
}

}  // namespace

ConvShapes quantized_conv_shapes(const Op& op, const AttrMap& attrs, const PartialShape& images,
                                 const PartialShape& filter) {
  return ConvShapes(op, with_padding_list(attrs), images, filter);
}

ConvShapes quantized_depthwise_shapes(const Op& op, const AttrMap& attrs,
                                      const PartialShape& images, const PartialShape& filter) {
  return depthwise_shapes(op, with_padding_list(attrs), images, filter);
}

int input_named(const Op& op, std::string_view name) {
  for (std::size_t i = 0; i < op.inputs.size(); ++i)
    if (op.inputs[i].name == name) return static_cast<int>(i);
  return -1;
}

Shapes conv_with_shape(const ShapeCtx& c, const ConvShapes& shapes) {
  const Op& op = c.op();
  const PartialShape results = shapes.results();
  if (const int bias = input_named(op, "bias"); bias >= 0) {
    const PartialShape vector = c.vector(bias);
    require(compatible(vector.dim(0), shapes.out_channels), "Must provide as many biases as the ",
            "results have channels: ", vector, " vs. ", results);
  }
  const int filter = input_named(op, "min_filter");
  PartialShape range = merge_shapes(range_end(c, filter), range_end(c, filter + 1));
  if (range.has_rank() && range.rank() == 1)
    require(range.dim(0) == 1 || compatible(range.dim(0), shapes.out_channels),
            "Must provide one range of the filter or one for each channel of the results: ", range,
            " vs. ", results);
  for (const char* name : {"min_input", "max_input", "min_freezed_output", "max_freezed_output",
                           "min_summand", "max_summand"})
    if (const int i = input_named(op, name); i >= 0) (void)c.scalar(i);
  const bool requantized = input_named(op, "min_freezed_output") >= 0;
  if (requantized) range = PartialShape::scalar();
  return {results, range, range};
}

}  // namespace rill
