#include "rill/api/keras/premade.h"

#include "rill/api/keras/layer_kinds.h"
#include "rill/api/nn/nn.h"
#include "rill/base/error.h"

namespace rill::keras::experimental {
namespace {

class Bias : public SameShape {
 public:
  Bias(std::int64_t units, const LinearModelOptions& o)
      : SameShape("Bias",
                  {.name = "bias", .style = rill::layers::Style::kOwned, .counts_from_zero = true}),
        units_(units) {
    s.bias = {o.bias_initializer, o.bias_regularizer, {}};
  }
  void build(const PartialShape&) override {
    bias_ = add("bias", {units_}, s.bias, zeros_initializer());
  }
  Output call(Output x, const rill::layers::CallArguments&) override {
    return backend::bias_add(x, bias_);
  }

 private:
  std::int64_t units_;
  rill::layers::Weight bias_;
};

std::vector<PartialShape> shapes_of(const std::vector<Output>& tensors) {
  std::vector<PartialShape> shapes;
  for (const Output& tensor : tensors) shapes.push_back(tensor.shape());
  return shapes;
}

std::vector<Output> inputs_like(const Model& model) {
  std::vector<Output> inputs;
  for (const Output& known : model.inputs())
    inputs.push_back(
        input(PartialShape(known.shape().dims().subspan(1)), {.dtype = base_type(known.dtype())}));
  return inputs;
}

Output activated(Output x, const Activation& activation) {
  return activation ? layers::Activation(activation)(x) : x;
}

}  // namespace

LinearModel::LinearModel(std::int64_t units, const LinearModelOptions& options)
    : Model("LinearModel", options.name), units_(units), options_(options) {
  require(units > 0, "units must be positive, not ", units);
}

void LinearModel::build_for(const std::vector<PartialShape>& examples) {
  require(!examples.empty(), "a linear model has an input");
  std::vector<Output> inputs, sums;
  for (const PartialShape& shape : examples) {
    inputs.push_back(input(shape));
    sums.push_back(
        layers::Dense(units_, {.use_bias = false,
                               .kernel_initializer = options_.kernel_initializer,
                               .kernel_regularizer = options_.kernel_regularizer})(inputs.back()));
  }
  Output sum = sums.size() == 1 ? sums[0] : layers::Add()(sums);
  if (options_.use_bias) sum = LayerRef(std::make_shared<Bias>(units_, options_))(sum);
  connect(inputs, {activated(sum, options_.activation)});
}

WideDeepModel::WideDeepModel(std::shared_ptr<Model> linear_model, std::shared_ptr<Model> dnn_model,
                             const Activation& activation, const std::string& name)
    : Model("WideDeepModel", name), linear_(std::move(linear_model)), deep_(std::move(dnn_model)) {
  require(linear_ != nullptr && deep_ != nullptr, "WideDeepModel takes two models");
  require(!linear_->outputs().empty() && !deep_->outputs().empty(),
          "both models must be built: say the shapes of their inputs first");
  const std::vector<Output> wide = inputs_like(*linear_);
  const bool same = shapes_of(linear_->inputs()) == shapes_of(deep_->inputs());
  const std::vector<Output> deep = same ? wide : inputs_like(*deep_);
  std::vector<Output> all = wide;
  if (!same) all.insert(all.end(), deep.begin(), deep.end());
  const Output sum = layers::Add()({LayerRef(linear_)(wide), LayerRef(deep_)(deep)});
  connect(all, {activated(sum, activation)});
}

}  // namespace rill::keras::experimental
