// Trains, saves, and goes on from the files: a checkpoint and a SavedModel. The Python twin is
// saving.py.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "../../drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

struct Network {
  tf::Output x, labels, digit;
  tf::Variable step;
  tf::Node& train;
};

Network make_network() {
  const auto x = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "x"});
  const auto labels = tf::placeholder(tf::int32, {tf::None}, {.name = "labels"});
  const auto hidden = tf::layers::dense(x, 64, {.activation = tf::nn::relu});
  const auto logits = tf::layers::dense(hidden, digits::kClasses);
  const auto digit = tf::argmax(logits, {.axis = 1, .output_type = tf::int32});
  const auto step = tf::train::get_or_create_global_step();
  const auto loss = tf::losses::sparse_softmax_cross_entropy(labels, logits);
  auto& train = tf::train::AdamOptimizer(0.005).minimize(loss, {.global_step = step});
  return {x, labels, digit, step, train};
}

void learn(tf::Session& sess, const Network& network, digits::Pen& pen) {
  for (int i = 0; i < 200; ++i) {
    const auto [pictures, numbers] = digits::as_tensors(pen.draw(64));
    sess.run(network.train, {{network.x, pictures}, {network.labels, numbers}});
  }
}

void tell(const tf::Tensor& found, const tf::Tensor& before, const tf::Tensor& numbers) {
  const auto a = found.flat<std::int32_t>(), b = before.flat<std::int32_t>(),
             n = numbers.flat<std::int32_t>();
  int right = 0;
  for (std::size_t i = 0; i < n.size(); ++i) right += a[i] == n[i];
  std::printf("the loaded model answers as before: %s\n",
              std::ranges::equal(a, b) ? "True" : "False");
  std::printf("accuracy on unseen digits: %.3f\n", right / static_cast<double>(n.size()));
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "rill_saving";
  std::filesystem::remove_all(folder);
  const std::string checkpoints = folder / "checkpoints", model = folder / "model";
  std::filesystem::create_directories(checkpoints);  // a Saver makes no folders

  tf::set_random_seed(1);
  const Network network = make_network();
  tf::train::Saver saver;
  digits::Pen pen(7);
  const auto [pictures, numbers] = digits::as_tensors(pen.draw(1000));
  {
    tf::Session sess;
    sess.run(tf::global_variables_initializer());
    learn(sess, network, pen);
    const auto path = saver.save(sess, checkpoints + "/model", {.global_step = 200});
    std::printf("saved: %s\n", path.c_str());
  }

  tf::Session sess;
  saver.restore(sess, *tf::train::latest_checkpoint(checkpoints));
  std::printf("restored at step %d\n",
              static_cast<int>(sess.run(network.step.value()).scalar_value<std::int64_t>()));
  learn(sess, network, pen);
  tf::saved_model::simple_save(sess, model, {{"x", network.x}}, {{"digit", network.digit}});
  const auto before = sess.run(network.digit, {{network.x, pictures}});

  // Whoever has the folder needs nothing of the above: `rill show` tells what a model can be asked
  // for.
  auto loaded = tf::saved_model::load(model);
  tell(loaded.run({{"x", pictures}}).at("digit"), before, numbers);
}
