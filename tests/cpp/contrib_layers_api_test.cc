#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/layers/contrib_embedding.h"
#include "rill/api/layers/contrib_layers.h"
#include "rill/api/layers/contrib_optimize.h"
#include "rill/api/layers/contrib_regularizers.h"
#include "rill/api/math/math.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/optimizers.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

namespace contrib_layers = contrib::layers;

class ContribLayersApi : public testing::Test {
 protected:
  void initialize() {
    for (auto& state :
         collections_of(*graph_).collected<VariableState>(GraphKeys::GLOBAL_VARIABLES)) {
      Node* const target = state->initializer;
      session_.run({}, {}, std::span(&target, 1));
    }
  }
  std::vector<float> values(Output output) {
    const Tensor fetched = session_.run({}, std::span(&output, 1)).at(0);
    const auto* data = fetched.data<float>();
    return {data, data + fetched.element_count()};
  }
  std::vector<std::string> variables(std::string_view collection = GraphKeys::MODEL_VARIABLES) {
    std::vector<std::string> names;
    for (const auto& state : collections_of(*graph_).collected<VariableState>(collection))
      names.push_back(state->name);
    return names;
  }

  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault as_default_{graph_};
  Session session_{graph_};
  Output x_ = constant(Tensor::of<float>({2, 2}, {1, 2, 3, 4}), {.name = "x"});
};

using Names = std::vector<std::string>;

TEST_F(ContribLayersApi, fully_connected) {
  const Output y = contrib_layers::fully_connected(
      x_, 1,
      {.weights_initializer = ones_initializer(),
       .weights_regularizer = contrib_layers::l2_regularizer(2.0),
       .variables_collections = {.by_name = {{"weights", {"mine"}}}},
       .outputs_collections = {"points"},
       .scope = "fc"});
  EXPECT_EQ(y.node->name(), "fc/Relu");
  EXPECT_EQ(variables(), (Names{"fc/weights:0", "fc/biases:0"}));
  EXPECT_EQ(variables("mine"), Names{"fc/weights:0"});
  EXPECT_EQ(contrib_layers::aliases_of(y), Names{"fc"});
  initialize();
  EXPECT_EQ(values(y), (std::vector<float>{3, 7}));
  const auto losses = get_tensor_collection(GraphKeys::REGULARIZATION_LOSSES);
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].node->name(), "fc/kernel/Regularizer/l2_regularizer");
  EXPECT_EQ(values(losses[0]), std::vector<float>{2});
}

TEST_F(ContribLayersApi, convolutions_and_pools) {
  const Output image = constant(1.0F, {.shape = Shape({1, 6, 6, 2})});
  const Output y =
      contrib_layers::conv2d(image, 3, 3, {.stride = 2, .weights_initializer = ones_initializer()});
  EXPECT_EQ(y.node->name(), "Conv/Relu");
  EXPECT_EQ(y.shape(), PartialShape({1, 3, 3, 3}));
  EXPECT_EQ(contrib_layers::max_pool2d(y, 3, {.stride = 1}).node->name(), "MaxPool2D/MaxPool");
  EXPECT_EQ(contrib_layers::flatten(y).shape(), PartialShape({1, 27}));
  EXPECT_THROW(contrib_layers::conv1d(image, 3, 3), Error);
  EXPECT_EQ(contrib_layers::separable_conv2d(image, std::nullopt, 3).shape(), image.shape());
}

TEST_F(ContribLayersApi, batch_norm_in_place) {
  const Output y = contrib_layers::batch_norm(
      x_, {.decay = 0.0, .updates_collections = std::nullopt, .scope = "bn"});
  EXPECT_EQ(variables(), (Names{"bn/beta:0", "bn/moving_mean:0", "bn/moving_variance:0"}));
  EXPECT_TRUE(get_collection(GraphKeys::UPDATE_OPS).empty());
  initialize();
  EXPECT_NEAR(values(y).at(0), -1.0F, 1e-2F);
  for (const auto& state :
       collections_of(*graph_).collected<VariableState>(GraphKeys::GLOBAL_VARIABLES)) {
    if (state->name != "bn/moving_mean:0") continue;
    EXPECT_EQ(values(Variable(state).value()), (std::vector<float>{2, 3}));
  }
}

TEST_F(ContribLayersApi, layer_norm_and_regularizers) {
  const Output y = contrib_layers::layer_norm(x_);
  const Variable w(Tensor::vector<float>({1, -2}), {.name = "w"});
  const Output loss = contrib_layers::l1_l2_regularizer(1.0, 2.0).loss(w);
  initialize();
  EXPECT_NEAR(values(y).at(0), -1.0F, 1e-3F);
  EXPECT_EQ(values(loss), std::vector<float>{8});
  EXPECT_THROW(contrib_layers::l1_regularizer(-1), Error);
}

TEST_F(ContribLayersApi, embeddings) {
  const Output ids = constant(Tensor::of<std::int32_t>({1, 3}, {1, 0, 1}));
  const contrib_layers::EmbedSequenceOptions words{.vocab_size = 2,
                                                   .embed_dim = 1,
                                                   .unique = true,
                                                   .initializer = ones_initializer(),
                                                   .scope = "words"};
  const Output y = contrib_layers::embed_sequence(ids, words);
  EXPECT_EQ(y.shape(), PartialShape({1, 3, 1}));
  EXPECT_EQ(variables(), Names{"words/embeddings:0"});
  EXPECT_THROW(contrib_layers::embed_sequence(ids, {}), Error);
  initialize();
  EXPECT_EQ(values(y), (std::vector<float>{1, 1, 1}));
}

TEST_F(ContribLayersApi, optimize_loss) {
  const Variable w(4.0F, {.name = "w"});
  const Variable step = train::get_or_create_global_step();
  const Output loss = contrib_layers::optimize_loss(
      square(w), step, 0.1,
      [](const Input& rate) { return std::make_unique<train::GradientDescentOptimizer>(rate); },
      {.gradient_multipliers = {{"w", 2.0}}, .clip_gradients = 4.0});
  initialize();
  EXPECT_EQ(values(loss), std::vector<float>{16});
  EXPECT_NEAR(values(w.value()).at(0), 3.6F, 1e-5F);
  EXPECT_EQ(get_collection(GraphKeys::SUMMARIES).size(), 3u);
}

}  // namespace
}  // namespace rill
