#include "rill/api/math/arithmetic.h"

#include "rill/api/core/division.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"

namespace rill {
namespace {

using namespace math_parts;

// Values become constants beside the sum; what makes nodes of its own (rows of a tensor) makes them
// in the scope of the sum.
std::vector<Input> summands(const Inputs& inputs) {
  require(
      !inputs.empty(),
      "inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape");
  std::vector<Input> tensors;
  for (const Input& input : inputs)
    tensors.push_back(input.is_value() ? Input(as_tensor(input)) : input);
  return tensors;
}

Output sum_of(const Inputs& tensors, const std::string& name) {
  if (tensors.size() > 1) return raw::AddN(tensors, {.name = name});
  const Output single = as_tensor(tensors[0]);
  return name.empty() ? single : raw::Identity(single, {.name = name});
}

}  // namespace

Output add(const Input& x, const Input& y, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "Add", at);
  const Output left = as_tensor(x, "x"), right = like(y, "y", left);
  if (type_of(left) == DType::string) return raw::Add(left, right, {.name = in.own_name()});
  return raw::AddV2(left, right, {.name = in.own_name()});
}

Output add_n(const Inputs& inputs, const MathOptions& options, std::source_location at) {
  const MadeAt place(at);
  return sum_of(summands(inputs), options.name);
}

Output accumulate_n(const Inputs& inputs, const AccumulateNOptions& options,
                    std::source_location at) {
  constexpr const char* kWrong =
      "inputs must be a list of at least one Tensor with the same dtype and shape";
  require(!inputs.empty(), kWrong);
  const MadeAt place(at);
  std::vector<Output> tensors;
  PartialShape shape = options.shape;
  for (const Input& input : inputs) {
    tensors.push_back(as_tensor(input));
    require(type_of(tensors.back()) == type_of(tensors[0]), kWrong);
    require(shape.is_compatible(tensors.back().shape()), kWrong);
    shape = shape.merged(tensors.back().shape());
  }
  require_type(
      options.tensor_dtype == DType::invalid || options.tensor_dtype == type_of(tensors[0]),
      "The `tensor_dtype` argument is <dtype: '", numpy_name(options.tensor_dtype),
      "'>, but `input` is of type <dtype: '", numpy_name(type_of(tensors[0])),
      "'>. These must be equal.");
  return sum_of({tensors.begin(), tensors.end()}, options.name);
}

Output div(const Input& x, const Input& y, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "div", at);
  const Output left = as_tensor(x, "x");
  const Output right = as_tensor(y, "y", type_of(left));
  if (kFloatTypes.contains(type_of(left)) || kComplexTypes.contains(type_of(left)))
    return raw::RealDiv(left, right, {.name = in.own_name()});
  return raw::FloorDiv(left, right, {.name = in.own_name()});
}

Output truediv(const Input& x, const Input& y, const MathOptions& options,
               std::source_location at) {
  const Block in(options.name, "truediv", at);
  Output left = as_tensor(x, "x");
  Output right = like(y, "y", left);
  require_same_type(left, right);
  if (const DType wide = division_type(type_of(left)); wide != DType::invalid) {
    left = cast(left, wide);
    right = cast(right, wide);
  }
  return raw::RealDiv(left, right, {.name = in.own_name()});
}

Output divide(const Input& x, const Input& y, const MathOptions& options, std::source_location at) {
  if (!options.name.empty()) return truediv(x, y, options, at);
  const MadeAt place(at);
  const DType wanted = y.is_output() ? type_of(y.output()) : DType::invalid;
  return operators::truediv(x.as_output(current_scope(), "Const", wanted), y, at);
}

Output scalar_mul(const Input& scalar, const Input& x, const MathOptions& options,
                  std::source_location at) {
  const MadeAt place(at);
  const Input tensor = x.is_output() ? x : Input(as_tensor(x, "x"));
  const Output factor = as_tensor(scalar, "scalar", type_of(tensor.output()));
  require(factor.shape().rank() == 0, "The input scalar must be a 0-D value. Received shape ",
          shape_text(factor.shape()), ".");
  return raw::Mul(factor, tensor, {.name = options.name});
}

IndexedSlices scalar_mul(const Input& scalar, const IndexedSlices& x, const MathOptions& options,
                         std::source_location at) {
  return {scalar_mul(scalar, x.values, options, at), x.indices, x.dense_shape};
}

Output abs(const Input& input, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "Abs", at);
  const Output x = as_tensor(input, "x");
  if (!kComplexTypes.contains(type_of(x))) return raw::Abs(x, {.name = in.own_name()});
  const DType part = type_of(x) == DType::c128 ? DType::f64 : DType::f32;
  return raw::ComplexAbs(x, {.Tout = part, .name = in.own_name()});
}

Output round(const Input& input, const MathOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Output x = as_tensor(input, "x");
  return kIntTypes.contains(type_of(x)) ? x : raw::Round(x, {.name = options.name});
}

Output clip_by_value(const Input& t, const Input& low, const Input& high,
                     const MathOptions& options, std::source_location at) {
  const Block in(options.name, "clip_by_value", at);
  const Output values = as_tensor(t, "t");
  const auto keeps_shape = [&](Output clipped) {
    require(values.shape().is_compatible(clipped.shape()), "Shapes ", shape_text(values.shape()),
            " and ", shape_text(clipped.shape()), " are incompatible");
    return clipped;
  };
  const Output below = keeps_shape(raw::Minimum(values, high));
  return keeps_shape(raw::Maximum(below, low, {.name = in.own_name()}));
}

IndexedSlices clip_by_value(const IndexedSlices& t, const Input& low, const Input& high,
                            const MathOptions& options, std::source_location at) {
  return {clip_by_value(t.values, low, high, options, at), t.indices, t.dense_shape};
}

Output logical_xor(const Input& x, const Input& y, const MathOptions& options,
                   std::source_location at) {
  const MadeAt place(at);
  const Output either = raw::LogicalOr(x, y);
  const Output not_both = raw::LogicalNot(raw::LogicalAnd(x, y));
  return raw::LogicalAnd(either, not_both, {.name = options.name});
}

Output log_sigmoid(const Input& input, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "LogSigmoid", at);
  const Output x = as_tensor(input, "x");
  return raw::Neg(raw::Softplus(raw::Neg(x)), {.name = in.own_name()});
}

Output lbeta(const Input& input, const MathOptions& options, std::source_location at) {
  const Block in(options.name, "lbeta", at);
  const Output x = as_tensor(input, "x");
  const Input last = Tensor::vector<std::int32_t>({-1});
  const Output logs = reduce_sum(raw::Lgamma(x), {.axis = last});
  const Output log_of_sum = raw::Lgamma(reduce_sum(x, {.axis = last}));
  return raw::Sub(logs, log_of_sum, {.name = "sub"});
}

}  // namespace rill
