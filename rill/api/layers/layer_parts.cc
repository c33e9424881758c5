#include "rill/api/layers/layer_parts.h"

#include <algorithm>
#include <cctype>

#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"

namespace rill::layers {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string sizes_tuple_text(const std::vector<std::int64_t>& values) {
  std::string text = "(";
  for (std::size_t i = 0; i < values.size(); ++i) text += str_cat(i > 0 ? ", " : "", values[i]);
  return text + (values.size() == 1 ? ",)" : ")");
}

}  // namespace

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::int64_t> checked_sizes(const nn::Sizes& sizes, std::size_t count,
                                        const std::string& what, std::int64_t least) {
  std::vector<std::int64_t> values = sizes.values();
  const std::string message = str_cat("The `", what, "` argument must be a tuple of ", count,
                                      " integers. Received: ", sizes_tuple_text(values));
  if (values.size() == 1) values.assign(count, values[0]);
  require(values.size() == count, message);
  for (const std::int64_t value : values)
    require(value >= least, message, " including {", value,
            "} that does not satisfy the requirement `", least > 0 ? "> 0" : ">= 0", "`.");
  return values;
}

std::string checked_padding(const std::string& given) {
  const std::string padding = lower_case(given);
  require(padding == "valid" || padding == "same" || padding == "causal",
          "The `padding` argument must be a list/tuple or one of \"valid\", \"same\" (or "
          "\"causal\", only for `Conv1D). Received: ",
          padding);
  return padding;
}

std::string checked_data_format(const std::string& given) {
  const std::string format = lower_case(given);
  require(format == "channels_first" || format == "channels_last",
          "The `data_format` argument must be one of \"channels_first\", \"channels_last\". "
          "Received: ",
          given);
  return format;
}

std::string op_data_format(bool channels_first, int rank) {
  const std::string space = rank == 1 ? "W" : rank == 2 ? "HW" : "DHW";
  return channels_first ? "NC" + space : "N" + space + "C";
}

std::int64_t window_output_length(std::int64_t length, std::int64_t size,
                                  const std::string& padding, std::int64_t stride,
                                  std::int64_t dilation) {
  require(stride > 0, "strides must be positive, not ", stride);
  if (length < 0) return -1;
  std::int64_t reach = 0;  // from a window's first element to its last
  require(!__builtin_mul_overflow(size - 1, dilation, &reach), "windows of ", size,
          " elements, each ", dilation, " apart, are too large");
  const std::int64_t starts = padding == "valid" ? length - reach : length;
  return starts > 0 ? (starts - 1) / stride + 1 : (starts + stride - 1) / stride;
}

std::int64_t known_channels(const PartialShape& shape, int axis) {
  const std::int64_t found =
      shape.has_rank() ? shape[canonical_axis(axis, shape.rank())] : std::int64_t{-1};
  require(found >= 0, "The channel dimension of the inputs should be defined. Found `None`.");
  return found;
}

Input axes_input(const std::vector<std::int64_t>& axes) {
  Tensor numbers(DType::i32, {static_cast<std::int64_t>(axes.size())});
  for (std::size_t i = 0; i < axes.size(); ++i)
    numbers.data<std::int32_t>()[i] = static_cast<std::int32_t>(axes[i]);
  return Input(numbers);
}

Output channels_to_last(Output x) {
  std::vector<std::int64_t> order{0};
  for (int i = 2; i < x.shape().rank(); ++i) order.push_back(i);
  order.push_back(1);
  return transpose(x, {.perm = axes_input(order)});
}

Output channels_to_first(Output x) {
  std::vector<std::int64_t> order{0, x.shape().rank() - 1};
  for (int i = 1; i < x.shape().rank() - 1; ++i) order.push_back(i);
  return transpose(x, {.perm = axes_input(order)});
}

nn::Filter filter_of(const Weight& weight) {
  if (const auto* plain = std::get_if<Variable>(&weight.any())) return *plain;
  if (const auto* tensor = std::get_if<Output>(&weight.any())) return *tensor;
  return as_tensor(weight);
}

}  // namespace rill::layers
