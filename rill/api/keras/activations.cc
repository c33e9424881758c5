#include "rill/api/keras/activations.h"

#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/keras/custom_objects.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/nn/softmax.h"
#include "rill/base/error.h"

namespace rill::keras {
namespace activations {

Output linear(Output x) { return x; }
Output exponential(Output x, std::source_location at) { return raw::Exp(x, {}, at); }
Output selu(Output x, std::source_location at) { return raw::Selu(x, {}, at); }
Output sigmoid(Output x, std::source_location at) { return raw::Sigmoid(x, {}, at); }
Output softplus(Output x, std::source_location at) { return raw::Softplus(x, {}, at); }
Output softsign(Output x, std::source_location at) { return raw::Softsign(x, {}, at); }
Output tanh(Output x, std::source_location at) { return raw::Tanh(x, {}, at); }

Output elu(Output x, double alpha, std::source_location at) {
  const MadeAt place(at);
  const Output curve = raw::Elu(x);
  if (alpha == 1) return curve;
  return where_v2(raw::Greater(x, 0.0), curve, Input(alpha * curve));
}

Output hard_sigmoid(Output x, std::source_location at) {
  const MadeAt place(at);
  return clip_by_value(0.2 * x + 0.5, 0.0, 1.0);
}

Output relu(Output x, const ReluOptions& o, std::source_location at) {
  const MadeAt place(at);
  Output negative;
  if (o.alpha != 0) {
    if (!o.max_value && o.threshold == 0)
      return raw::LeakyRelu(x, {.alpha = static_cast<float>(o.alpha)});
    negative = o.threshold != 0 ? raw::Relu(o.threshold - x) : raw::Relu(-x);
  }
  Output result;
  bool clip_top = o.max_value.has_value();
  if (o.threshold != 0) {
    result = x * rill::cast(raw::Greater(x, o.threshold), base_type(x.dtype()));
  } else if (o.max_value == 6.0) {
    result = raw::Relu6(x);
    clip_top = false;
  } else {
    result = raw::Relu(x);
  }
  if (clip_top) result = clip_by_value(result, 0.0, *o.max_value);
  return o.alpha != 0 ? result - o.alpha * negative : result;
}

Output softmax(Output x, int axis, std::source_location at) {
  const MadeAt place(at);
  const int rank = x.shape().rank();
  require(rank != 1, "Cannot apply softmax to a tensor that is 1D");
  return nn::softmax(x, {.axis = axis});
}

}  // namespace activations

namespace {

struct Named {
  const char* name;
  Output (*apply)(Output);
};
constexpr Named kNamed[] = {
    {"elu", [](Output x) { return activations::elu(x); }},
    {"exponential", [](Output x) { return activations::exponential(x); }},
    {"hard_sigmoid", [](Output x) { return activations::hard_sigmoid(x); }},
    {"linear", activations::linear},
    {"relu", [](Output x) { return activations::relu(x); }},
    {"selu", [](Output x) { return activations::selu(x); }},
    {"sigmoid", [](Output x) { return activations::sigmoid(x); }},
    {"softmax", [](Output x) { return activations::softmax(x); }},
    {"softplus", [](Output x) { return activations::softplus(x); }},
    {"softsign", [](Output x) { return activations::softsign(x); }},
    {"tanh", [](Output x) { return activations::tanh(x); }},
};

}  // namespace

std::string activations::name_of(const std::function<Output(Output)>& activation) {
  using Plain = Output (*)(Output);
  const Plain* const function = activation.target<Plain>();
  for (const Named& known : kNamed)
    if (function != nullptr && *function == known.apply) return known.name;
  return {};
}

Activation::Activation(const std::string& name) {
  for (const Named& known : kNamed)
    if (name == known.name) apply = known.apply;
  if (const CustomObject* custom = find_custom_object(name); custom && custom->function)
    apply = custom->function;
  require(bool(apply), "Unknown activation function:", name);
}

}  // namespace rill::keras
