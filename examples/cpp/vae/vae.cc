// A variational autoencoder: digits as points of a plane, and digits made of points.
#include <cstdio>

#include "../../drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

constexpr int kSteps = 600, kBatch = 64, kCode = 2;

tf::Output decoder(const tf::Output& code) {
  const tf::VariableScopeBlock scope("decoder", {.reuse = tf::AUTO_REUSE});
  const auto hidden = tf::layers::dense(code, 128, {.activation = tf::nn::relu, .name = "hidden"});
  return tf::layers::dense(hidden, digits::kPixels, {.name = "logits"});
}

}  // namespace

int main() {
  tf::set_random_seed(1);
  const auto x = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "x"});
  const auto hidden = tf::layers::dense(x, 128, {.activation = tf::nn::relu});
  const auto mean = tf::layers::dense(hidden, kCode),
             log_variance = tf::layers::dense(hidden, kCode);
  const auto code = mean + tf::exp(0.5f * log_variance) * tf::random_normal(tf::shape(mean));
  const auto logits = decoder(code);

  // What is lost on the way, and how far the codes are from a normal distribution.
  const auto lost =
      tf::reduce_sum(tf::nn::sigmoid_cross_entropy_with_logits(x, logits), {.axis = 1});
  const auto distance =
      -0.5f *
      tf::reduce_sum(1 + log_variance - tf::square(mean) - tf::exp(log_variance), {.axis = 1});
  const auto loss = tf::reduce_mean(lost + distance);
  auto& train = tf::train::AdamOptimizer(0.002).minimize(loss);
  const auto made = tf::sigmoid(decoder(tf::random_normal({1, kCode})));

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  digits::Pen pen(7);
  for (int step = 0; step <= kSteps; ++step) {
    const auto pictures = digits::as_tensors(pen.draw(kBatch)).pictures;
    const auto [_, bound] = sess.run(std::tie(train, loss), {{x, pictures}});
    if (step % 200 == 0) std::printf("step %d: loss %.1f\n", step, bound.scalar_value<float>());
  }
  const auto picture = sess.run(made);
  for (int row = 0; row < digits::kSide; ++row) {
    for (int column = 0; column < digits::kSide; ++column) {
      const float pixel =
          picture.flat<float>()[static_cast<std::size_t>(row * digits::kSide + column)];
      std::putchar(" .:#"[static_cast<int>(pixel * 3.99f)]);
    }
    std::putchar('\n');
  }
}
