#include "rill/api/layers/contrib_regularizers.h"

#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/nn.h"
#include "rill/api/layers/weight.h"
#include "rill/api/math/math.h"

namespace rill::contrib::layers {
namespace {

using Loss = Output (*)(const Input& weights);

Regularizer scaled(double scale, const std::string& scope, const std::string& name, Loss loss) {
  require(scale >= 0, "Setting a scale less than 0 on a regularizer: ", scale, ".");
  if (scale == 0) return {[](const AnyVariable&) { return Output(); }, {}};
  return {[=](const AnyVariable& variable) {
            const rill::layers::Weight weight(variable);
            const Block in(scope, name, std::source_location::current());
            const Output factor = as_tensor(scale, "scale", weight.dtype());
            return multiply(factor, loss(weight), {.name = in.own_name()});
          },
          {}};
}

}  // namespace

Regularizer l1_regularizer(double scale, const std::string& scope) {
  return scaled(scale, scope, "l1_regularizer",
                [](const Input& weights) { return reduce_sum(abs(weights)); });
}

Regularizer l2_regularizer(double scale, const std::string& scope) {
  return scaled(scale, scope, "l2_regularizer",
                [](const Input& weights) { return raw::L2Loss(weights); });
}

Regularizer l1_l2_regularizer(double scale_l1, double scale_l2, const std::string& scope) {
  return sum_regularizer({l1_regularizer(scale_l1), l2_regularizer(scale_l2)},
                         scope.empty() ? "l1_l2_regularizer" : scope);
}

Regularizer sum_regularizer(const std::vector<Regularizer>& regularizers,
                            const std::string& scope) {
  std::vector<Regularizer> all;
  for (const Regularizer& regularizer : regularizers)
    if (regularizer) all.push_back(regularizer);
  if (all.empty()) return {};
  return {[=](const AnyVariable& variable) -> Output {
            const Block in(scope, "sum_regularizer", std::source_location::current());
            std::vector<Input> losses;
            for (const Regularizer& regularizer : all)
              if (const Output loss = regularizer.loss(variable); loss.node)
                losses.emplace_back(loss);
            if (losses.empty()) return {};
            return add_n(losses, {.name = in.own_name()});
          },
          {}};
}

Output apply_regularization(const Regularizer& regularizer,
                            const std::optional<std::vector<Variable>>& weights_list,
                            std::source_location at) {
  std::vector<Variable> weights;
  if (weights_list) {
    weights = *weights_list;
  } else {
    for (const auto& state :
         collections_of(*default_graph()).collected<VariableState>(GraphKeys::WEIGHTS))
      weights.emplace_back(state);
  }
  require(!weights.empty(), "No weights to regularize.");
  const Block in("", "get_regularization_penalty", at);
  std::vector<Input> losses;
  for (const Variable& variable : weights) {
    const Output loss = regularizer.loss(variable);
    require(!loss.node || !loss.shape().has_rank() || loss.shape().rank() == 0,
            "regularizer must return a scalar Tensor instead of a Tensor with rank ",
            loss.node ? loss.shape().rank() : 0, ".");
    losses.emplace_back(loss.node ? loss : constant(0.0F));
  }
  const Output sum = add_n(losses, {.name = in.own_name()});
  add_to_collection(GraphKeys::REGULARIZATION_LOSSES, sum);
  return sum;
}

}  // namespace rill::contrib::layers
