#include "rill/api/nn/activations.h"

#include "rill/api/array/joining.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/gradients/custom_gradient.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"

namespace rill::nn {

Output relu6(const Input& features, const ActivationOptions& options, std::source_location at) {
  const Block in(options.name, "Relu6", at);
  return raw::Relu6(as_tensor(features, "features"), {.name = in.own_name()});
}

Output leaky_relu(const Input& features, const LeakyReluOptions& options, std::source_location at) {
  const Block in(options.name, "LeakyRelu", at);
  Output x = as_tensor(features, "features");
  if (kIntTypes.contains(math_parts::type_of(x))) x = cast(x, DType::f32);
  return raw::LeakyRelu(x, {.alpha = options.alpha, .name = in.own_name()});
}

Output crelu(const Input& features, const CreluOptions& options, std::source_location at) {
  const Block in(options.name, "CRelu", at);
  const Output x = as_tensor(features, "features");
  const Output both = concat({x, raw::Neg(x)}, options.axis, {.name = in.own_name()});
  return raw::Relu(both);
}

namespace {

// f(x, beta) = x * sigmoid(beta * x), and its gradients.
WithGradient swish_of(const std::vector<Output>& args) {
  const Output x = args[0], beta = args[1];
  const auto grad = [x, beta](const std::vector<Gradient>& dys) -> std::vector<Gradient> {
    const Output dy = dys[0].dense();
    const auto sigmoid = [&] {
      Node* const before = dy.node;
      const ControlDependencies wait({before});
      return raw::Sigmoid(beta * x);
    }();
    const Output scaled = beta * x;
    const Output slope = sigmoid * (1.0 + scaled * (1.0 - sigmoid));
    const Output squared = dy * raw::Square(x) * sigmoid;
    const Output for_beta = reduce_sum(squared * (1.0 - sigmoid));
    return {dy * slope, for_beta};
  };
  return {.results = {x * raw::Sigmoid(beta * x)}, .grad = grad};
}

}  // namespace

Output swish(const Input& features, std::source_location at) {
  const MadeAt place(at);
  const Output x = as_tensor(features, "features");
  const Output beta = cast(as_tensor(1.0F, "beta"), math_parts::type_of(x));
  return custom_gradient(swish_of, {x, beta})[0];
}

Output bias_add(const Input& value, const Input& bias, const BiasAddOptions& options,
                std::source_location at) {
  const Block in(options.name, "BiasAdd", at);
  const std::string& format = options.data_format;
  const bool last =
      format.empty() || (format.starts_with("N") && format.ends_with("C") && format.size() > 1);
  require(last || format.starts_with("NC"),
          "`data_format` must be of the form `N...C` or `NC...`. Received: data_format=", format);
  const Output x = as_tensor(value, "input");
  const Output b = as_tensor(bias, "bias", math_parts::type_of(x));
  return raw::BiasAdd(
      x, b, {.data_format = format.starts_with("NC") ? "NCHW" : "NHWC", .name = in.own_name()});
}

namespace {

struct Affine {
  Output x, weights, biases;
};
Affine affine(const Input& x, const Input& weights, const Input& biases) {
  const Output left = as_tensor(x, "x"), right = as_tensor(weights, "weights");
  return {left, right, as_tensor(biases, "biases")};
}

}  // namespace

Output xw_plus_b(const Input& x, const Input& weights, const Input& biases,
                 const ActivationOptions& options, std::source_location at) {
  const Block in(options.name, "xw_plus_b", at);
  const Affine part = affine(x, weights, biases);
  const Output product = matmul(part.x, part.weights);
  return bias_add(product, part.biases, {.name = in.own_name()});
}

Output relu_layer(const Input& x, const Input& weights, const Input& biases,
                  const ActivationOptions& options, std::source_location at) {
  const Block in(options.name, "relu_layer", at);
  const Affine part = affine(x, weights, biases);
  const Output sum = bias_add(matmul(part.x, part.weights), part.biases);
  return raw::Relu(sum, {.name = in.own_name()});
}

}  // namespace rill::nn
