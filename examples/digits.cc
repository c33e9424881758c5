// Trains a small network to read digits that the program draws itself.
//
// The model is written with raw ops, one C++ function per TensorFlow op, its gradients by hand.
#include <cmath>
#include <cstdio>
#include <random>

#include "examples/drawn_digits.h"
#include "rill/api/gen/raw_ops.h"
#include "rill/rill.h"

namespace tf = rill;
namespace raw = rill::raw;

namespace {

constexpr int kHidden = 64;
constexpr int kBatch = 64;
constexpr int kSteps = 1500;
constexpr float kLearningRate = 0.2f;

// A variable with the op that sets its first value.
struct Variable {
  tf::Output ref;
  tf::Node* init;
};

Variable variable(const char* name, tf::Shape shape, float spread) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, spread);
  tf::Tensor first(tf::DType::f32, shape);
  for (float& value : first.flat<float>()) value = spread == 0 ? 0 : normal(random);
  const tf::Output ref = raw::VariableV2(shape, tf::DType::f32, {.name = name});
  return {ref, raw::Assign(ref, first).node};
}

struct Model {
  tf::Output x = tf::placeholder(tf::DType::f32, {-1, digits::kPixels}, {.name = "x"});
  tf::Output labels = tf::placeholder(tf::DType::i32, {-1}, {.name = "labels"});
  Variable w1 = variable("w1", {digits::kPixels, kHidden}, 1 / std::sqrt(float{digits::kPixels}));
  Variable b1 = variable("b1", {kHidden}, 0);
  Variable w2 = variable("w2", {kHidden, digits::kClasses}, 1 / std::sqrt(float{kHidden}));
  Variable b2 = variable("b2", {digits::kClasses}, 0);
  tf::Output loss, accuracy;
  std::vector<tf::Node*> train;

  Model() {
    const tf::Output hidden = raw::Relu(raw::BiasAdd(raw::MatMul(x, w1.ref), b1.ref));
    const tf::Output logits = raw::BiasAdd(raw::MatMul(hidden, w2.ref), b2.ref);
    const auto cross_entropy = raw::SparseSoftmaxCrossEntropyWithLogits(logits, labels);
    loss = raw::Mean(cross_entropy.loss, tf::Tensor::vector<std::int32_t>({0}));
    const tf::Output best = raw::ArgMax(logits, 1, {.output_type = tf::DType::i32});
    const tf::Output right = raw::Cast(raw::Equal(best, labels), tf::DType::f32);
    accuracy = raw::Mean(right, tf::Tensor::vector<std::int32_t>({0}));

    // d loss / d logits comes with the loss; the rest is the chain rule.
    const tf::Output d_logits = raw::Mul(cross_entropy.backprop, 1.0f / kBatch);
    const tf::Output d_hidden =
        raw::ReluGrad(raw::MatMul(d_logits, w2.ref, {.transpose_b = true}), hidden);
    step(w2, raw::MatMul(hidden, d_logits, {.transpose_a = true}));
    step(b2, raw::BiasAddGrad(d_logits));
    step(w1, raw::MatMul(x, d_hidden, {.transpose_a = true}));
    step(b1, raw::BiasAddGrad(d_hidden));
  }

  void step(const Variable& v, tf::Output gradient) {
    train.push_back(raw::ApplyGradientDescent(v.ref, kLearningRate, gradient).node);
  }
};

std::vector<tf::Feed> feeds(const Model& model, const digits::Batch& batch) {
  const auto count = static_cast<std::int64_t>(batch.labels.size());
  return {{model.x, tf::Tensor::of<float>({count, digits::kPixels}, batch.pixels)},
          {model.labels, tf::Tensor::of<std::int32_t>({count}, batch.labels)}};
}

void show_progress(int step, float loss) {
  constexpr int kWidth = 40;
  const int done = step * kWidth / kSteps;
  std::printf("\r[%.*s%*s] step %4d  loss %.3f", done, "########################################",
              kWidth - done, "", step, static_cast<double>(loss));
  std::fflush(stdout);
}

}  // namespace

int main() {
  const Model model;
  tf::Session session(tf::default_graph());
  session.run({}, {}, {{model.w1.init, model.b1.init, model.w2.init, model.b2.init}});

  digits::Pen pen(1);
  for (int step = 1; step <= kSteps; ++step) {
    const auto results = session.run(feeds(model, pen.draw(kBatch)), {{model.loss}}, model.train);
    if (step % 25 == 0) show_progress(step, results[0].scalar_value<float>());
  }
  const auto unseen = feeds(model, digits::Pen(2).draw(2000));
  const float accuracy = session.run(unseen, {{model.accuracy}})[0].scalar_value<float>();
  std::printf("\naccuracy on 2000 unseen digits: %.1f %%\n", 100 * static_cast<double>(accuracy));
  return accuracy > 0.9f ? 0 : 1;
}
