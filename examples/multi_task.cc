// One net, two objectives: which digit is drawn, and whether it is odd. The Python twin is
// multi_task.py.
#include <cstdio>

#include "examples/drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;
namespace est = rill::estimator;

est::EstimatorSpec model_fn(const est::InputBatch& batch, est::Mode mode, const est::RunConfig&) {
  const auto pixels = batch.features.at("pixels").tensor();
  const auto shared = tf::layers::dense(pixels, 64, {.activation = tf::nn::relu, .name = "shared"});
  const auto heads = est::multi_head({est::multi_class_head(digits::kClasses, {.name = "digit"}),
                                      est::binary_classification_head({.name = "odd"})},
                                     {1.0, 0.5});
  return heads->create_estimator_spec(
      {.features = batch.features,
       .mode = mode,
       .logits = {{{"digit", tf::layers::dense(shared, digits::kClasses, {.name = "digit_logits"})},
                   {"odd", tf::layers::dense(shared, 1, {.name = "odd_logits"})}}},
       .labels = batch.labels,
       .optimizer = std::make_shared<tf::train::AdamOptimizer>(0.003)});
}

est::InputFn drawn(int count, int seed) {
  return [=](est::Mode mode, const est::RunConfig&) -> est::InputValues {
    const auto [pictures, numbers] = digits::as_tensors(digits::Pen(seed).draw(count));
    auto data = tf::data::Dataset::from_tensor_slices({pictures, numbers}).batch(64);
    if (mode == est::Mode::kTrain) data = data.repeat(4);
    return est::BatchDataset{data, [](const tf::data::Components& parts) {
                               const auto digit = parts[1].tensor();
                               return est::InputBatch{
                                   .features = {{"pixels", parts[0]}},
                                   .labels = {{"digit", digit}, {"odd", tf::mod(digit, 2)}}};
                             }};
  };
}

int main() {
  est::Estimator model(model_fn);
  model.train(drawn(4000, 1));
  const auto found = model.evaluate(drawn(1000, 2));
  std::printf("digits %.3f, odd %.3f\n", found.at("accuracy/digit").scalar_value<float>(),
              found.at("accuracy/odd").scalar_value<float>());
}
