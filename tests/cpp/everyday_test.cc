// What a newcomer writes first, as the guide and TensorFlow's tutorials put it.
#include <gtest/gtest.h>

#include "rill/rill.h"
#include "rill/testing.h"

namespace tf = rill;

namespace {

class Everyday : public testing::Test {
 protected:
  tf::AsDefault graph_{tf::make_graph()};
};

TEST_F(Everyday, a_variable_of_a_list_of_one) {
  tf::Variable list({1.5f}), nested({{1.f, 2.f}, {3.f, 4.f}}), text({"a"}),
      named({2}, {.name = "n"});
  tf::Variable scalar{1.5f}, copy{list}, again(list);
  EXPECT_EQ(list.shape(), tf::PartialShape{1});
  EXPECT_EQ(nested.shape(), (tf::PartialShape{2, 2}));
  EXPECT_EQ(text.dtype(), tf::string);
  EXPECT_EQ(named.name(), "n:0");
  EXPECT_EQ(scalar.shape(), tf::PartialShape::scalar());
  EXPECT_TRUE(copy == list && again == list);
  tf::Session session;
  session.run(tf::global_variables_initializer());
  EXPECT_EQ(session.run(list).data<float>()[0], 1.5f);
}

TEST_F(Everyday, labels_and_logits_by_name) {
  const auto logits = tf::constant({{1.f, 2.f}, {3.f, 0.f}});
  const auto ids = tf::constant({1, 0});
  const auto rows = tf::one_hot(ids, 2);
  tf::Session session;
  const auto losses = session.run(
      {tf::nn::sparse_softmax_cross_entropy_with_logits({.labels = ids, .logits = logits}),
       tf::nn::softmax_cross_entropy_with_logits({.labels = rows, .logits = logits}),
       tf::nn::softmax_cross_entropy_with_logits_v2({.labels = rows, .logits = logits})});
  EXPECT_NEAR(losses[0].data<float>()[0], 0.313262f, 1e-5);
  EXPECT_NEAR(losses[1].data<float>()[1], 0.048587f, 1e-5);
  EXPECT_EQ(losses[1].data<float>()[0], losses[2].data<float>()[0]);
  const auto yes_no = session.run(tf::nn::sigmoid_cross_entropy_with_logits(
      {.labels = tf::constant({1.f}), .logits = tf::constant({0.f}), .name = "loss"}));
  EXPECT_NEAR(yes_no.data<float>()[0], 0.693147f, 1e-5);
}

TEST_F(Everyday, the_largest_two) {
  tf::Session session;
  const auto [values, indices] = tf::nn::top_k(tf::constant({3.f, 9.f, 5.f}), 2);
  const auto [best, places] = session.run(std::tie(values, indices));
  EXPECT_EQ(best.data<float>()[1], 5.f);
  EXPECT_EQ(places.data<std::int32_t>()[0], 1);
}

TEST_F(Everyday, a_queue_of_numbers) {
  tf::queue::FIFOQueue queue(3, {tf::float32}, {.shapes = {tf::PartialShape::scalar()}});
  tf::Session session;
  session.run(queue.enqueue(2.5f));
  session.run(queue.enqueue(tf::constant(1.f) + 2.f));
  EXPECT_EQ(session.run(queue.dequeue()[0]).scalar_value<float>(), 2.5f);
  EXPECT_EQ(session.run(queue.dequeue()[0]).scalar_value<float>(), 3.f);
}

TEST_F(Everyday, a_network_of_a_shared_cell) {
  const auto cell = std::make_shared<tf::nn::rnn_cell::LSTMCell>(4);
  const auto run = tf::nn::dynamic_rnn(cell, tf::zeros({2, 3, 5}), {.dtype = tf::float32});
  EXPECT_EQ(run.outputs[0].shape(), (tf::PartialShape{2, 3, 4}));
}

TEST_F(Everyday, keras_fits_whole_numbers) {
  tf::keras::Sequential model(
      {tf::keras::layers::Dense(3, {.activation = "softmax", .input_shape = {{2}}})});
  model.compile({.optimizer = "sgd", .loss = "sparse_categorical_crossentropy"});
  tf::Tensor x(tf::float64, {6, 2}), pixels(tf::uint8, {6, 2}), y(tf::int64, {6});
  for (int i = 0; i < 12; ++i) {
    x.data<double>()[i] = i % 5;
    pixels.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i % 5);
  }
  for (int i = 0; i < 6; ++i) y.data<std::int64_t>()[i] = i % 3;
  const auto history = model.fit(x, y, {.batch_size = 2, .epochs = 2});
  EXPECT_EQ(history.history.at("loss").size(), 2u);
  EXPECT_EQ(model.evaluate(x, y)[0], model.evaluate(pixels, y)[0]);
  EXPECT_EQ(model.predict(pixels).shape(), (tf::Shape{6, 3}));
}

}  // namespace
