#include "rill/api/nn/softmax.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/sequences.h"
#include "rill/api/variables/variable_creation.h"

namespace rill::nn {
namespace {

using Along = Output (*)(Output logits, const std::string& name);

// The last axis of `x` and `axis` change places.
Output swapped(Output x, int axis, Output rank, const std::string& name) {
  const Output last = raw::Sub(rank, 1);
  const Output before = range(axis);
  const Output between = range(axis + 1, last);
  const Output order =
      concat({before, parts::list_of({last}), between, Tensor::vector<std::int32_t>({axis})}, 0);
  return raw::Transpose(x, order, {.name = name.empty() ? "transpose" : name});
}

// The ops know the last axis only.
Output along_axis(Along along, const Input& logits, const SoftmaxOptions& options,
                  std::source_location at) {
  const InScope place(here(at));
  const Output x = as_tensor(logits);
  const PartialShape shape = x.shape();
  const int ndims = shape.has_rank() ? shape.rank() : 0;
  if (options.axis == -1 || (shape.has_rank() && options.axis == ndims - 1))
    return along(x, options.name);
  if (options.axis < -ndims || options.axis >= ndims)
    throw debugging::FailedAssertion(
        Code::kInvalidArgument,
        str_cat("`dim` must be in the range [", -ndims, ", ", ndims, ") where ", ndims,
                " is the number of dimensions in the input. Received: dim=", options.axis));
  const int axis = options.axis < 0 ? options.axis + ndims : options.axis;
  rank(x);  // TensorFlow makes it, whether the axis is negative or not
  const Output dimensions = rank(x);
  const Output turned = along(swapped(x, axis, dimensions, {}), {});
  const Output result = swapped(turned, axis, dimensions, options.name);
  result.node->graph().refine_shape(result, shape);
  return result;
}

}  // namespace

Output softmax(const Input& logits, const SoftmaxOptions& options, std::source_location at) {
  return along_axis(
      [](Output x, const std::string& name) { return raw::Softmax(x, {.name = name}); }, logits,
      options, at);
}

Output log_softmax(const Input& logits, const SoftmaxOptions& options, std::source_location at) {
  return along_axis(
      [](Output x, const std::string& name) { return raw::LogSoftmax(x, {.name = name}); }, logits,
      options, at);
}

}  // namespace rill::nn
