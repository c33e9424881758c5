// What `./do demo` runs first: trains a small convolutional network on digits that it draws, and
// leaves a checkpoint, summaries for TensorBoard and a SavedModel in the folder that it is given.
#include <cstdio>
#include <filesystem>

#include "examples/drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

constexpr int kSteps = 300;

struct Network {
  tf::Output x, labels, is_training, digit, accuracy, loss;
  tf::Node& train;
};

tf::Output convolution(const tf::Output& x, int filters, const tf::Output& is_training) {
  const auto h = tf::layers::conv2d(x, filters, 3, {.padding = "same", .use_bias = false});
  const auto n = tf::layers::batch_normalization(h, {.momentum = 0.9, .training = is_training});
  return tf::layers::max_pooling2d(tf::nn::relu(n), 2, 2);
}

// Batch normalization moves its averages in ops of their own, which training must wait for.
std::vector<tf::Node*> moving_averages() {
  std::vector<tf::Node*> nodes;
  for (const tf::CollectionItem& item : tf::get_collection(tf::GraphKeys::UPDATE_OPS))
    if (const auto* node = std::get_if<tf::Node*>(&item)) nodes.push_back(*node);
  return nodes;
}

Network make_network() {
  const auto x = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "x"});
  const auto labels = tf::placeholder(tf::int32, {tf::None}, {.name = "labels"});
  const auto is_training = tf::raw::PlaceholderWithDefault(false, {}, {.name = "is_training"});
  auto h = tf::reshape(x, tf::ShapeInput({-1, digits::kSide, digits::kSide, 1}));
  h = convolution(h, 8, is_training);
  h = convolution(h, 16, is_training);
  const auto logits = tf::layers::dense(tf::layers::flatten(h), digits::kClasses);
  const auto digit = tf::argmax(logits, {.axis = 1, .output_type = tf::int32});
  const auto right = tf::cast(tf::equal(digit, labels), tf::float32);
  const auto loss = tf::losses::sparse_softmax_cross_entropy(labels, logits);
  tf::summaries::scalar("loss", loss);
  const tf::ControlDependencies moved(moving_averages());
  auto& train = tf::train::AdamOptimizer(0.01).minimize(
      loss, {.global_step = tf::train::get_or_create_global_step()});
  return {x, labels, is_training, digit, tf::reduce_mean(right), loss, train};
}

std::vector<tf::Feed> feeds(const Network& network, const digits::Batch& batch) {
  const auto [pictures, numbers] = digits::as_tensors(batch);
  return {{network.x, pictures}, {network.labels, numbers}};
}

void show_progress(int step, float loss) {
  constexpr int kWidth = 40;
  const int done = step * kWidth / kSteps;
  std::printf("\r[%.*s%*s] step %3d  loss %.3f", done, "########################################",
              kWidth - done, "", step, static_cast<double>(loss));
  std::fflush(stdout);
}

void learn(tf::Session& sess, const Network& network, const std::string& log) {
  const auto summary = *tf::summaries::merge_all();
  tf::summaries::FileWriter writer(log, {.graph = &sess.graph()});
  digits::Pen pen(1);
  for (int step = 1; step <= kSteps; ++step) {
    auto batch = feeds(network, pen.draw(64));
    batch.push_back({network.is_training, tf::Tensor::scalar(true)});
    sess.run(network.train, batch);
    if (step % 20 != 0) continue;
    const auto told = sess.run(std::vector{summary, network.loss}, batch);
    writer.add_summary(told[0].scalar_value<std::string>(), step);
    show_progress(step, told[1].scalar_value<float>());
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::printf("usage: example_demo FOLDER\n"), 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::remove_all(folder);
  tf::set_random_seed(1);
  const Network network = make_network();
  const auto unseen = feeds(network, digits::Pen(2).draw(2000));
  tf::train::Saver saver;
  {
    tf::Session sess;
    sess.run(tf::global_variables_initializer());
    learn(sess, network, folder / "log");
    saver.save(sess, folder / "checkpoints" / "model", {.global_step = kSteps});
  }
  tf::Session sess;
  const auto latest = *tf::train::latest_checkpoint(folder / "checkpoints");
  saver.restore(sess, latest);
  const float accuracy = sess.run(network.accuracy, unseen).scalar_value<float>();
  std::printf("restored from %s: %.1f %% of 2000 unseen digits are read\n", latest.c_str(),
              100 * static_cast<double>(accuracy));
  tf::saved_model::simple_save(sess, folder / "model", {{"x", network.x}},
                               {{"digit", network.digit}});
  return accuracy > 0.9f ? 0 : 1;
}
