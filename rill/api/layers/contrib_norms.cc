#include "rill/api/layers/contrib_norms.h"

#include <algorithm>

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/plain_array.h"
#include "rill/api/layers/contrib_scope.h"
#include "rill/api/math/math.h"
#include "rill/api/nn/moments.h"
#include "rill/api/nn/normalization.h"

namespace rill::contrib::layers {
namespace {

// The sizes of x, numbers where they are known, with `changed` for one dimension.
std::vector<Input> sizes_of(Output x) {
  std::vector<Input> sizes;
  Output asked;
  for (int i = 0; i < x.shape().rank(); ++i) {
    if (x.shape()[i] >= 0) {
      sizes.emplace_back(static_cast<int>(x.shape()[i]));
      continue;
    }
    if (!asked.node) asked = shape(x);
    sizes.emplace_back(slice(asked, {Input(i)}));
  }
  return sizes;
}

int place(int axis, int rank) { return canonical_axis(axis, rank); }

// beta and gamma of the open scope, as they stand beside the normalised input.
template <class Options>
struct Parameters {
  Parameters(const Options& o, std::int64_t channels, DType dtype, const PartialShape& beside) {
    const auto parameter = [&](const char* name, const Initializer& otherwise) {
      const auto found = o.param_initializers.find(name);
      const Variable variable = model_variable(
          name, {channels}, dtype, found == o.param_initializers.end() ? otherwise : found->second,
          {}, o.trainable);
      collect(AnyVariable(variable), name, o.variables_collections);
      return Input(reshape(variable, Input(shape_tensor(beside.full()))));
    };
    if (o.center) beta = parameter("beta", zeros_initializer());
    if (o.scale) gamma = parameter("gamma", ones_initializer());
  }
  OptionalInput beta, gamma;
};

}  // namespace

Output instance_norm(Output inputs, const InstanceNormOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "InstanceNorm", o.reuse, {}, at);
  const int rank = inputs.shape().rank();
  require(rank >= 2, "Inputs ", inputs.name(), " has undefined rank.");
  const int channel = nn::is_channels_first(o.data_format) ? 1 : rank - 1;
  const std::int64_t channels = rill::layers::known_channels(inputs.shape(), channel);
  std::vector<std::int64_t> space, beside(static_cast<std::size_t>(rank), 1);
  for (int i = 1; i < rank; ++i)
    if (i != channel) space.push_back(i);
  beside[static_cast<std::size_t>(channel)] = channels;
  const Parameters p(o, channels, base_type(inputs.dtype()), PartialShape(beside));
  const auto [mean, variance] = nn::moments(inputs, ShapeInput(space), {.keepdims = true});
  const Output outputs = nn::batch_normalization(inputs, mean, variance, p.beta, p.gamma, o.epsilon,
                                                 {.name = "instancenorm"});
  outputs.node->graph().refine_shape(outputs, inputs.shape());
  return finished(outputs, {}, o.activation_fn, o.outputs_collections, *in);
}

Output group_norm(Output inputs, const GroupNormOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "GroupNorm", o.reuse, {}, at);
  const int rank = inputs.shape().rank();
  require(rank >= 2, "Inputs ", inputs.name(), " has undefined rank");
  const int channel = place(o.channels_axis, rank);
  const std::int64_t channels = rill::layers::known_channels(inputs.shape(), channel);
  require(o.groups > 0 && o.groups <= channels, "Invalid groups ", o.groups, " for ", channels,
          " channels.");
  require(channels % o.groups == 0, channels, " channels is not commensurate with ", o.groups,
          " groups.");
  // Channels become groups and what is inside of them, which is reduced as well.
  std::vector<std::int64_t> over{channel + 1};
  for (const int given : o.reduction_axes) {
    const int axis = place(given, rank);
    require(axis != channel, "Can not reduce over the channels");
    over.push_back(axis > channel ? axis + 1 : axis);
  }
  std::ranges::sort(over);
  const std::vector<Input> before = sizes_of(inputs);
  std::vector<Input> apart = before;
  apart[static_cast<std::size_t>(channel)] = Input(static_cast<int>(o.groups));
  apart.insert(apart.begin() + channel + 1, Input(static_cast<int>(channels / o.groups)));
  const Output grouped = reshape(inputs, stack(apart));
  std::vector<std::int64_t> beside(static_cast<std::size_t>(rank + 1), 1);
  beside[static_cast<std::size_t>(channel)] = o.groups;
  beside[static_cast<std::size_t>(channel + 1)] = channels / o.groups;
  const Parameters p(o, channels, base_type(inputs.dtype()), PartialShape(beside));
  const auto [mean, variance] = nn::moments(grouped, ShapeInput(over), {.keepdims = true});
  const Output normalised =
      nn::batch_normalization(grouped, mean, variance, p.beta, p.gamma, o.epsilon);
  const Output outputs = reshape(normalised, stack(before));
  outputs.node->graph().refine_shape(outputs, inputs.shape());
  return finished(outputs, {}, o.activation_fn, o.outputs_collections, *in);
}

Output unit_norm(Output inputs, int dim, const UnitNormOptions& o, std::source_location at) {
  const Block in(o.scope, "UnitNorm", at);
  const int rank = inputs.shape().rank();
  require(rank > 0, "The input rank must be known.");
  require(dim >= 0 && dim < rank, "dim must be positive but smaller than the input rank.");
  const Output lengths =
      sqrt(reduce_sum(square(inputs), {.axis = Input(dim), .keepdims = true}) + o.epsilon);
  return inputs / lengths;
}

Output maxout(Output inputs, std::int64_t num_units, const MaxoutOptions& o,
              std::source_location at) {
  const Block in(o.scope, "MaxOut", at);
  const int axis = place(o.axis, inputs.shape().rank());
  const std::int64_t channels = rill::layers::known_channels(inputs.shape(), axis);
  require(num_units > 0 && channels % num_units == 0, "number of features(", channels,
          ") is not a multiple of num_units(", num_units, ")");
  std::vector<Input> sizes = sizes_of(inputs);
  sizes[static_cast<std::size_t>(axis)] = Input(static_cast<int>(num_units));
  sizes.insert(sizes.begin() + axis + 1, Input(static_cast<int>(channels / num_units)));
  return reduce_max(reshape(inputs, stack(sizes)), {.axis = Input(axis + 1)});
}

}  // namespace rill::contrib::layers
