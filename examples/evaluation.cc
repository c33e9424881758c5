// Trains on digits, writes what TensorBoard shows, and measures in batches. The Python twin is
// evaluation.py.
#include <cstdio>
#include <filesystem>

#include "examples/drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

int main() {
  tf::set_random_seed(1);
  const auto x = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "x"});
  const auto labels = tf::placeholder(tf::int32, {tf::None}, {.name = "labels"});
  const auto weights = tf::get_variable("weights", {digits::kPixels, digits::kClasses});
  const auto bias =
      tf::get_variable("bias", {digits::kClasses}, {.initializer = tf::zeros_initializer()});
  const auto logits = tf::matmul(x, weights) + bias;
  const auto loss = tf::losses::sparse_softmax_cross_entropy(labels, logits);
  auto& train = tf::train::AdamOptimizer(0.01).minimize(loss);

  const auto predicted = tf::argmax(logits, {.axis = 1, .output_type = tf::int32});
  const auto accuracy = tf::metrics::accuracy(labels, predicted);
  const auto fairness = tf::metrics::mean_per_class_accuracy(labels, predicted, digits::kClasses);
  auto& reset = tf::metrics::reset();

  tf::summaries::scalar("loss", loss);
  tf::summaries::histogram("weights", weights);
  const auto summary = *tf::summaries::merge_all();

  tf::Session sess;
  tf::summaries::FileWriter writer(std::filesystem::temp_directory_path() / "rill_evaluation",
                                   {.graph = &sess.graph()});
  sess.run(tf::global_variables_initializer());
  digits::Pen pen(7);
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (int step = 100 * epoch; step < 100 * epoch + 100; ++step) {
      const auto [pictures, numbers] = digits::as_tensors(pen.draw(64));
      sess.run(train, {{x, pictures}, {labels, numbers}});
      const auto told = sess.run(summary, {{x, pictures}, {labels, numbers}});
      writer.add_summary(told.scalar_value<std::string>(), step);
    }
    sess.run(reset);
    for (int batch = 0; batch < 10; ++batch) {
      const auto [pictures, numbers] = digits::as_tensors(pen.draw(100));
      sess.run(std::vector{accuracy.update_op, fairness.update_op},
               {{x, pictures}, {labels, numbers}});
    }
    const auto found = sess.run(std::vector{accuracy.value, fairness.value});
    std::printf("epoch %d: accuracy %.3f, the mean of all classes %.3f\n", epoch,
                found[0].scalar_value<float>(), found[1].scalar_value<float>());
  }
  std::printf("written to %s\n", writer.get_logdir().c_str());
}
