#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/plain_layers.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/softmax.h"
#include "rill/base/error.h"

namespace rill::keras::layers {

Merge::Merge(std::string class_name, LayerOptions options)
    : KerasLayer(std::move(class_name), std::move(options)) {
  supports_masking = true;
}

std::vector<Output> Merge::call_all(const std::vector<Output>& inputs, const CallArguments&) {
  require(inputs.size() >= 2 || class_name() != "Concatenate",
          "A `Concatenate` layer should be called on a list of at least 2 inputs");
  require(inputs.size() >= 2, "A merge layer should be called on a list of at least 2 inputs. Got ",
          inputs.size(), " inputs.");
  std::vector<Output> equal = inputs;
  int most = 0;
  for (const Output& x : inputs) most = std::max(most, x.shape().rank());
  for (Output& x : equal)  // examples stay first, what is missing comes after them
    while (broadcasts() && x.shape().rank() >= 0 && x.shape().rank() < most) x = expand_dims(x, 1);
  return {merged(equal)};
}

std::vector<Output> Merge::compute_masks(const std::vector<Output>&,
                                         const std::vector<Output>& masks) {
  std::vector<Output> given;
  for (const Output& mask : masks)
    if (mask.node) given.push_back(mask);
  if (given.empty()) return {};
  Output all = given[0];
  for (std::size_t i = 1; i < given.size(); ++i) all = raw::LogicalAnd(all, given[i]);
  return {all};
}

Output Add::merged(const std::vector<Output>& inputs) {
  Output sum = inputs[0];
  for (std::size_t i = 1; i < inputs.size(); ++i) sum = sum + inputs[i];
  return sum;
}
Output Subtract::merged(const std::vector<Output>& inputs) {
  require(inputs.size() == 2, "A `Subtract` layer should be called on exactly 2 inputs");
  return inputs[0] - inputs[1];
}
Output Multiply::merged(const std::vector<Output>& inputs) {
  Output product = inputs[0];
  for (std::size_t i = 1; i < inputs.size(); ++i) product = product * inputs[i];
  return product;
}
Output Average::merged(const std::vector<Output>& inputs) {
  Output sum = inputs[0];
  for (std::size_t i = 1; i < inputs.size(); ++i) sum = sum + inputs[i];
  return sum / static_cast<double>(inputs.size());
}
Output Maximum::merged(const std::vector<Output>& inputs) {
  Output most = inputs[0];
  for (std::size_t i = 1; i < inputs.size(); ++i) most = raw::Maximum(most, inputs[i]);
  return most;
}
Output Minimum::merged(const std::vector<Output>& inputs) {
  Output least = inputs[0];
  for (std::size_t i = 1; i < inputs.size(); ++i) least = raw::Minimum(least, inputs[i]);
  return least;
}

Output Concatenate::merged(const std::vector<Output>& inputs) {
  return concat({inputs.begin(), inputs.end()}, s.axis);
}

std::vector<Output> Concatenate::compute_masks(const std::vector<Output>& inputs,
                                               const std::vector<Output>& masks) {
  if (std::ranges::none_of(masks, [](const Output& mask) { return mask.node != nullptr; }))
    return {};
  std::vector<Input> joined;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!masks[i].node)
      joined.emplace_back(ones_like(inputs[i], {.dtype = DType::boolean}));
    else
      joined.emplace_back(masks[i].shape().rank() < inputs[i].shape().rank()
                              ? expand_dims(masks[i], -1)
                              : masks[i]);
  }
  return {reduce_all(concat(joined, s.axis), {.axis = Input(-1)})};
}

Output Dot::merged(const std::vector<Output>& inputs) {
  require(inputs.size() == 2, "A `Dot` layer should be called on exactly 2 inputs");
  require(!s.axes.empty() && s.axes.size() <= 2, "axes must be one number or two");
  const int first = parts::axis_in(static_cast<int>(s.axes.front()), inputs[0]);
  const int second = parts::axis_in(static_cast<int>(s.axes.back()), inputs[1]);
  Output x = inputs[0], y = inputs[1];
  if (s.normalize) {
    x = backend::l2_normalize(x, first);
    y = backend::l2_normalize(y, second);
  }
  return backend::batch_dot(x, y, std::pair(first, second));
}

// --- attention -----------------------------------------------------------------------------------

Attention::Attention(std::string class_name, LayerOptions options)
    : KerasLayer(std::move(class_name), std::move(options)) {
  supports_masking = true;
}

namespace {

void need_query_and_value(const std::string& class_name, std::size_t count) {
  require(count == 2 || count == 3, class_name, " layer must be called on a list of inputs. ",
          class_name,
          " layer accepts inputs list of length 2 or 3, namely [query, value] or [query, value, "
          "key]. Given length: ",
          count);
}

}  // namespace

void Attention::build_all(const std::vector<PartialShape>&) {
  if (s.use_scale) scale = add("scale", PartialShape::scalar(), {}, ones_initializer());
}

Output Attention::scores(Output query, Output key) {
  const Output products = raw::BatchMatMulV2(query, key, {.adj_y = true});
  return scale ? products * as_tensor(scale) : products;
}

std::vector<Output> Attention::call_all(const std::vector<Output>& inputs,
                                        const CallArguments& arguments) {
  need_query_and_value(class_name(), inputs.size());
  require(arguments.masks.size() != 1 && arguments.masks.size() <= 3, class_name(),
          " layer mask must be a list of length 2, namely [query_mask, value_mask]. Given length: ",
          arguments.masks.size());
  const Output query = inputs[0], value = inputs[1], key = inputs.size() > 2 ? inputs[2] : value;
  Output found = scores(query, key);
  const auto mask = [&](std::size_t i) {
    return arguments.masks.size() > i ? arguments.masks[i] : Output();
  };
  if (mask(1).node) {
    const Output hidden = raw::LogicalNot(expand_dims(mask(1), 1));
    found = found - 1e9 * rill::cast(hidden, base_type(found.dtype()));
  }
  Output result = raw::BatchMatMulV2(nn::softmax(found), value);
  if (mask(0).node)
    result = result * rill::cast(expand_dims(mask(0), -1), base_type(result.dtype()));
  return {result};
}

std::vector<Output> Attention::compute_masks(const std::vector<Output>&,
                                             const std::vector<Output>& masks) {
  return masks.empty() || !masks[0].node ? std::vector<Output>() : std::vector<Output>{masks[0]};
}

void AdditiveAttention::build_all(const std::vector<PartialShape>& inputs) {
  need_query_and_value(class_name(), inputs.size());
  const PartialShape& value = inputs.at(1);
  need_at_least(value, 1);
  if (s.use_scale)
    scale = add("scale", {value.dim(value.rank() - 1)}, {}, glorot_uniform_initializer());
}

Output AdditiveAttention::scores(Output query, Output key) {
  const Output both = raw::Tanh(expand_dims(query, -2) + expand_dims(key, -3));
  return reduce_sum(scale ? as_tensor(scale) * both : both, {.axis = Input(-1)});
}

}  // namespace rill::keras::layers
