// Reads digits with convolutions, batch normalisation and dropout. The Python twin is
// convolutional.py.
#include <cstdio>

#include "../../drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

tf::Output logits_of(tf::Output x, tf::Output training) {
  auto y = tf::reshape(x, tf::ShapeInput({-1, digits::kSide, digits::kSide, 1}));
  y = tf::layers::conv2d(y, 16, 3, {.padding = "same", .use_bias = false});
  y = tf::nn::relu(tf::layers::batch_normalization(y, {.momentum = 0.9, .training = training}));
  y = tf::layers::max_pooling2d(y, 2, 2);
  y = tf::layers::conv2d(y, 16, 3, {.padding = "same", .activation = tf::nn::relu});
  y = tf::layers::dropout(tf::layers::flatten(y), {.rate = 0.3, .training = training});
  return tf::layers::dense(y, digits::kClasses, {.name = "output"});
}

tf::Node& training_step(tf::Output loss) {
  std::vector<tf::Node*> updates;
  for (const auto& update : tf::get_collection(tf::GraphKeys::UPDATE_OPS))
    updates.push_back(std::get<tf::Node*>(update));
  const tf::ControlDependencies after(updates);
  return tf::train::AdamOptimizer(0.003).minimize(loss);
}

}  // namespace

int main() {
  tf::set_random_seed(1);
  const auto x = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "x"});
  const auto labels = tf::placeholder(tf::int32, {tf::None}, {.name = "labels"});
  const auto training = tf::raw::PlaceholderWithDefault(false, {}, {.name = "training"});
  const auto logits = logits_of(x, training);
  const auto loss = tf::losses::sparse_softmax_cross_entropy(labels, logits);
  auto& train = training_step(loss);
  const auto right = tf::equal(tf::argmax(logits, {.axis = 1, .output_type = tf::int32}), labels);
  const auto accuracy = tf::reduce_mean(tf::cast(right, tf::float32));

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  digits::Pen pen(7);
  const rill::Tensor yes = rill::Tensor::of<bool>({}, {true});
  for (int i = 1; i <= 300; ++i) {
    const auto [pictures, numbers] = digits::as_tensors(pen.draw(64));
    sess.run(train, {{x, pictures}, {labels, numbers}, {training, yes}});
    if (i % 100 == 0)
      std::printf("step %d: loss %.3f\n", i,
                  sess.run(loss, {{x, pictures}, {labels, numbers}}).scalar_value<float>());
  }
  const auto [pictures, numbers] = digits::as_tensors(pen.draw(1000));
  std::printf("accuracy on unseen digits: %.3f\n",
              sess.run(accuracy, {{x, pictures}, {labels, numbers}}).scalar_value<float>());
}
