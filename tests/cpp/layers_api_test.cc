#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/layers/layer_values.h"
#include "rill/api/layers/layers.h"
#include "rill/api/math/math.h"
#include "rill/api/nn/activations.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

class LayersApi : public testing::Test {
 protected:
  void initialize() {
    for (auto& state :
         collections_of(*graph_).collected<VariableState>(GraphKeys::GLOBAL_VARIABLES))
      run(*state->initializer);
  }
  void run(Node& node) {
    Node* const target = &node;
    session_.run({}, {}, std::span(&target, 1));
  }
  std::vector<float> values(Output output) {
    const Tensor fetched = session_.run({}, std::span(&output, 1)).at(0);
    const auto* data = fetched.data<float>();
    return {data, data + fetched.element_count()};
  }
  static std::vector<std::string> variables(std::string_view collection) {
    std::vector<std::string> names;
    for (const auto& state : collections_of(*default_graph()).collected<VariableState>(collection))
      names.push_back(state->name);
    return names;
  }

  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault as_default_{graph_};
  Session session_{graph_};
  Output x_ = constant(Tensor::of<float>({2, 2}, {1, 2, 3, 4}), {.name = "x"});
};

using Names = std::vector<std::string>;

TEST_F(LayersApi, dense) {
  const Output y =
      layers::dense(x_, 3, {.activation = nn::relu, .kernel_initializer = ones_initializer()});
  EXPECT_EQ(y.node->name(), "dense/Relu");
  EXPECT_EQ(y.shape(), PartialShape({2, 3}));
  EXPECT_EQ(variables(GraphKeys::TRAINABLE_VARIABLES), (Names{"dense/kernel:0", "dense/bias:0"}));
  initialize();
  EXPECT_EQ(values(y), (std::vector<float>{3, 3, 3, 7, 7, 7}));
}

TEST_F(LayersApi, dense_is_shared_by_name) {
  const layers::DenseOptions once{.kernel_initializer = ones_initializer(), .name = "fc"};
  const Output a = layers::dense(x_, 2, once);
  const Output b = layers::dense(a, 2, {.name = "fc", .reuse = Reuse::kYes});
  EXPECT_EQ(b.node->name(), "fc_1/BiasAdd");
  EXPECT_EQ(variables(GraphKeys::GLOBAL_VARIABLES).size(), 2u);
  EXPECT_THROW(layers::dense(x_, 2, {.name = "fc"}), Error);
}

TEST_F(LayersApi, a_layer_is_called_twice) {
  layers::Dense layer(2, {.kernel_initializer = ones_initializer()});
  EXPECT_EQ(layer.name(), "dense_1");
  const Output a = layer(x_), b = layer(a);
  EXPECT_EQ(a.node->name(), "dense/BiasAdd");
  EXPECT_EQ(b.node->name(), "dense/BiasAdd_1");
  EXPECT_EQ(layer.scope_name(), "dense");
  EXPECT_EQ(layer.count_params(), 6);
  EXPECT_EQ(layer.weights().size(), 2u);
  EXPECT_THROW(layer(constant(Tensor::of<float>({1, 3}, {1, 2, 3}))), Error);
}

TEST_F(LayersApi, owned_layers_are_named_as_kerass) {
  layers::Dense layer(2, {}, {.style = layers::Style::kOwned});
  EXPECT_EQ(layer.name(), "dense");
  const Output a = layer(x_), b = layer(a);
  EXPECT_EQ(a.node->name(), "dense/BiasAdd");
  EXPECT_EQ(b.node->name(), "dense_1/BiasAdd");
  EXPECT_TRUE(layer.kernel.variable().is_resource());
}

// A layer of a program: a scale for each column, a loss, a counter.
struct Scale : layers::Layer {
  explicit Scale(layers::LayerOptions options = {}) : Layer("Scale", std::move(options)) {}
  void build(const PartialShape& input) override {
    scale = add_weight("scale", {input[1]}, {.initializer = constant_initializer(2.0)});
    calls = add_weight("calls", PartialShape::scalar(),
                       {.initializer = zeros_initializer(), .trainable = false});
  }
  Output call(Output x, const layers::CallArguments& arguments) override {
    trained = arguments.training.has_value();
    add_update(calls.variable().assign_add_op(1.0F));
    add_loss(reduce_sum(x), true);
    return x * scale;
  }
  layers::Weight scale, calls;
  bool trained = false;
};

TEST_F(LayersApi, own_layer) {
  Scale layer;
  const Output y = layer(x_, {.training = Input(true)});
  EXPECT_TRUE(layer.trained);
  EXPECT_EQ(y.node->name(), "scale/mul");
  EXPECT_EQ(layer.trainable_weights().size(), 1u);
  EXPECT_EQ(layer.non_trainable_weights().size(), 1u);
  EXPECT_EQ(layer.losses_for({x_}).size(), 1u);
  EXPECT_EQ(layer.updates_for({}).size(), 1u);
  initialize();
  for (const CollectionItem& update : get_collection(GraphKeys::UPDATE_OPS))
    run(*std::get<Node*>(update));
  EXPECT_EQ(values(layer.calls.variable().value()), std::vector<float>{1});
  EXPECT_EQ(values(y), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(LayersApi, sublayers_are_tracked) {
  struct Twice : layers::Layer {
    Twice() : Layer("Twice", {.style = layers::Style::kOwned}) {
      inner = std::make_shared<Scale>(layers::LayerOptions{.style = layers::Style::kOwned});
      add_layer(inner);
    }
    Output call(Output x, const layers::CallArguments&) override { return (*inner)((*inner)(x)); }
    std::shared_ptr<Scale> inner;
  } layer;
  const Output y = layer(x_, {.training = Input(true)});
  EXPECT_TRUE(layer.inner->trained);  // told by the call around
  EXPECT_EQ(y.node->name(), "twice/scale_1/mul");
  EXPECT_EQ(layer.weights().size(), 2u);
  EXPECT_EQ(layer.losses().size(), 2u);
  layer.set_trainable(false);
  EXPECT_TRUE(layer.trainable_weights().empty());
}

TEST_F(LayersApi, regularization) {
  const Regularizer sum{[](const AnyVariable& w) { return reduce_sum(std::get<Variable>(w)); }, {}};
  layers::dense(x_, 3,
                {.kernel_initializer = ones_initializer(),
                 .kernel_regularizer = sum,
                 .activity_regularizer = [](Output y) { return reduce_sum(y); }});
  const std::vector<Output> losses = get_tensor_collection(GraphKeys::REGULARIZATION_LOSSES);
  ASSERT_EQ(losses.size(), 2u);
  EXPECT_EQ(losses[0].node->name(), "dense/kernel/Regularizer/Sum");
  EXPECT_EQ(losses[1].node->name(), "dense/ActivityRegularizer/truediv");
  initialize();
  EXPECT_EQ(values(losses[0]), std::vector<float>{6});
  EXPECT_EQ(values(losses[1]), std::vector<float>{15});
}

TEST_F(LayersApi, convolutions) {
  const Output image = constant(1.0F, {.shape = Shape({1, 6, 6, 2})});
  const layers::ConvOptions ones{.padding = "same", .kernel_initializer = ones_initializer()};
  const Output y = layers::conv2d(image, 3, 3, ones);
  EXPECT_EQ(y.node->name(), "conv2d/BiasAdd");
  EXPECT_EQ(y.shape(), PartialShape({1, 6, 6, 3}));
  EXPECT_EQ(layers::max_pooling2d(y, 2, 2).node->name(), "max_pooling2d/MaxPool");
  EXPECT_EQ(layers::conv2d_transpose(y, 2, 2, {.strides = 2}).shape(),
            PartialShape({1, 12, 12, 2}));
  EXPECT_EQ(layers::separable_conv2d(image, 4, 3).shape(), PartialShape({1, 4, 4, 4}));
  EXPECT_EQ(layers::flatten(y).shape(), PartialShape({1, 108}));
  initialize();
  EXPECT_EQ(values(y).at(0), 8.0F);
  EXPECT_THROW(layers::conv2d(image, 3, {1, 2, 3}), Error);
  EXPECT_THROW(layers::conv2d(image, 3, 3, {.padding = "most"}), Error);
}

TEST_F(LayersApi, batch_normalization) {
  const Output y = layers::batch_normalization(x_, {.momentum = 0.5, .training = true});
  EXPECT_EQ(variables(GraphKeys::GLOBAL_VARIABLES).size(), 4u);
  initialize();
  for (const CollectionItem& update : get_collection(GraphKeys::UPDATE_OPS))
    run(*std::get<Node*>(update));
  EXPECT_NEAR(values(y).at(0), -1.0F, 1e-2F);
  Output mean;
  for (const auto& state :
       collections_of(*graph_).collected<VariableState>(GraphKeys::GLOBAL_VARIABLES))
    if (state->name == "batch_normalization/moving_mean:0") mean = Variable(state).value();
  EXPECT_EQ(values(mean), (std::vector<float>{1, 1.5}));
}

TEST_F(LayersApi, weights_are_read_and_set) {
  layers::Dense layer(1);
  const Output y = layer(x_);
  initialize();
  layers::set_weights(layer, session_,
                      {Tensor::of<float>({2, 1}, {1, 2}), Tensor::vector<float>({3})});
  EXPECT_EQ(values(y), (std::vector<float>{8, 14}));
  EXPECT_EQ(layers::get_weights(layer, session_).at(1).data<float>()[0], 3);
  EXPECT_THROW(layers::set_weights(layer, session_, {}), Error);
}

TEST_F(LayersApi, dropout) {
  EXPECT_EQ(values(layers::dropout(x_)), values(x_));
  const Output y = layers::dropout(x_, {.rate = 0.5, .seed = 1, .training = true});
  for (const float value : values(y))
    EXPECT_TRUE(value == 0 || (value >= 2 && value <= 8)) << value;
}

TEST_F(LayersApi, names_of_classes) {
  EXPECT_EQ(layers::snake_case("BatchNormalization"), "batch_normalization");
  EXPECT_EQ(layers::snake_case("Conv2DTranspose"), "conv2d_transpose");
  EXPECT_EQ(layers::snake_case("MyLSTMCell"), "my_lstm_cell");
  EXPECT_EQ(layers::snake_case("_Own"), "private__own");
}

}  // namespace
}  // namespace rill
