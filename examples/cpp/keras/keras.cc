// A Keras model: layers, compile, fit, evaluate, predict, and its weights in a file.
#include <cstdio>
#include <filesystem>

#include "../../drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;
namespace kl = rill::keras::layers;

namespace {

tf::keras::Sequential make_model() {
  return tf::keras::Sequential(
      {kl::Dense(64, {.activation = "relu", .input_shape = {{digits::kPixels}}}), kl::Dropout(0.2),
       kl::Dense(digits::kClasses, {.activation = "softmax"})});
}

// Targets are columns of floats, as those of Keras.
digits::Tensors draw(digits::Pen& pen, int count) {
  const auto batch = pen.draw(count);
  const std::vector<float> labels(batch.labels.begin(), batch.labels.end());
  return {digits::as_tensors(batch).pictures, tf::Tensor::of<float>({count, 1}, labels)};
}

}  // namespace

int main() {
  tf::set_random_seed(1);
  digits::Pen pen(7);
  const auto [pictures, numbers] = draw(pen, 2000);
  const auto [unseen, answers] = draw(pen, 500);

  auto model = make_model();
  model.compile(
      {.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .metrics = {"accuracy"}});
  model.fit(pictures, numbers, {.batch_size = 50, .epochs = 8, .verbose = 0});
  const auto found = model.evaluate(unseen, answers);
  std::printf("accuracy on unseen digits: %.3f\n", found[1]);

  const std::string file = std::filesystem::temp_directory_path() / "rill_keras.h5";
  model.save_weights(file);
  auto again = make_model();
  again.load_weights(file);
  const auto a = model.predict(unseen), b = again.predict(unseen);
  std::printf("the second model answers as the first: %s\n",
              std::equal(a.flat<float>().begin(), a.flat<float>().end(), b.flat<float>().begin())
                  ? "yes"
                  : "no");
}
