// Two networks, one of which draws digits until the other takes them for real. The Python twin is
// gan.py.
#include <cstdio>
#include <filesystem>

#include "../../drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

constexpr int kSteps = 3000, kBatch = 64, kNoise = 32, kShown = 8;
const auto leaky_relu = [](const tf::Input& x) { return tf::nn::leaky_relu(x); };

tf::Output painter(tf::Output noise) {
  const tf::VariableScopeBlock scope("painter");
  const auto hidden = tf::layers::dense(noise, 256, {.activation = leaky_relu});
  return tf::layers::dense(hidden, digits::kPixels, {.activation = tf::nn::sigmoid});
}

tf::Output judge(tf::Output pictures) {
  const tf::VariableScopeBlock scope("judge", {.reuse = tf::AUTO_REUSE});
  const auto hidden =
      tf::layers::dense(pictures, 256, {.activation = leaky_relu, .name = "hidden"});
  return tf::layers::dense(hidden, 1, {.name = "verdict"});
}

tf::Node& step_of(tf::Output loss, const std::string& scope) {
  return tf::train::AdamOptimizer(0.001, {.beta1 = 0.5})
      .minimize(loss, {.var_list = tf::trainable_variables(scope)});
}

// kBatch pictures in rows of kShown.
tf::Output as_picture(tf::Output painted) {
  using digits::kSide;
  constexpr int kRows = kBatch / kShown;
  const auto grid = tf::reshape(painted, tf::ShapeInput({kRows, kShown, kSide, kSide}));
  const auto picture = tf::reshape(tf::transpose(grid, {.perm = tf::constant({0, 2, 1, 3})}),
                                   tf::ShapeInput({1, kRows * kSide, kShown * kSide, 1}));
  const auto large = tf::image::resize_nearest_neighbor(
      picture, tf::constant({3 * kRows * kSide, 3 * kShown * kSide}));
  return tf::image::encode_png(
      tf::image::convert_image_dtype(tf::squeeze(large, {.axis = {0}}), tf::uint8));
}

}  // namespace

int main() {
  tf::set_random_seed(1);
  const auto x = tf::placeholder(tf::float32, {tf::None, digits::kPixels}, {.name = "x"});
  const auto painted = painter(tf::random_normal({kBatch, kNoise}));
  const auto real = judge(x), feigned = judge(painted);
  const auto loss = tf::losses::sigmoid_cross_entropy(tf::fill(tf::shape(real), 0.9f), real) +
                    tf::losses::sigmoid_cross_entropy(tf::zeros_like(feigned), feigned);
  const auto painter_loss = tf::losses::sigmoid_cross_entropy(tf::ones_like(feigned), feigned);
  auto& train = tf::group({&step_of(loss, "judge"), &step_of(painter_loss, "painter")});
  const std::string file = std::filesystem::temp_directory_path() / "rill_gan.png";
  auto& draw = tf::write_file(file, as_picture(painted));

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  digits::Pen pen(7);
  for (int step = 1; step <= kSteps; ++step) {
    const auto pictures = digits::as_tensors(pen.draw(kBatch)).pictures;
    sess.run(train, {{x, pictures}});
    if (step % 500 == 0) {
      const auto losses = sess.run(std::vector{loss, painter_loss}, {{x, pictures}});
      std::printf("step %d of %d: judge %.3f, painter %.3f\n", step, kSteps,
                  losses[0].scalar_value<float>(), losses[1].scalar_value<float>());
    }
  }
  sess.run(draw);
  std::printf("%d digits that nobody drew: %s\n", kBatch, file.c_str());
}
