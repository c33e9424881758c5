// Squeezes digits through sixteen numbers and draws what comes out. The Python twin is
// autoencoder.py.
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "../../drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

constexpr int kSteps = 1000, kShown = 10;

// One row of pictures above the other: [2, kShown, side, side] becomes one picture.
tf::Output as_picture(tf::Output x, tf::Output y) {
  using digits::kSide;
  const auto rows = tf::reshape(tf::stack({x, y}), tf::ShapeInput({2, kShown, kSide, kSide}));
  const auto grid = tf::reshape(tf::transpose(rows, {.perm = tf::constant({0, 2, 1, 3})}),
                                tf::ShapeInput({1, 2 * kSide, kShown * kSide, 1}));
  const auto large =
      tf::image::resize_nearest_neighbor(grid, tf::constant({8 * kSide, 4 * kShown * kSide}));
  return tf::image::encode_png(
      tf::image::convert_image_dtype(tf::squeeze(large, {.axis = {0}}), tf::uint8));
}

}  // namespace

int main() {
  tf::set_random_seed(1);
  const auto x = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "x"});
  auto hidden = tf::layers::dense(x, 128, {.activation = tf::nn::relu});
  const auto code = tf::layers::dense(hidden, 16, {.name = "code"});
  hidden = tf::layers::dense(code, 128, {.activation = tf::nn::relu});
  const auto y = tf::layers::dense(hidden, digits::kPixels, {.activation = tf::nn::sigmoid});
  const auto loss = tf::losses::mean_squared_error(x, y);
  auto& train = tf::train::AdamOptimizer(0.002).minimize(loss);
  const std::string file = std::filesystem::temp_directory_path() / "rill_autoencoder.png";
  auto& draw = tf::write_file(file, as_picture(x, y));

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  digits::Pen pen(7);
  for (int step = 1; step <= kSteps; ++step) {
    const auto pictures = digits::as_tensors(pen.draw(32)).pictures;
    sess.run(train, {{x, pictures}});
    if (step % 200 == 0)
      std::printf("step %d of %d: loss %.4f\n", step, kSteps,
                  sess.run(loss, {{x, pictures}}).scalar_value<float>());
  }
  const auto pictures = digits::as_tensors(pen.draw(kShown)).pictures;
  sess.run(draw, {{x, pictures}});
  const float error = sess.run(loss, {{x, pictures}}).scalar_value<float>();
  std::printf("unseen digits come out with %.1f dB; before and after: %s\n",
              -10 * std::log10(error), file.c_str());
}
