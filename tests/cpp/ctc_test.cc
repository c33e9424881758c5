// The gradient of CTCLoss, and losses that TensorFlow does not get right.
#include <gtest/gtest.h>

#include <cmath>

#include "rill/grad/gradients.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

class CtcLoss : public testing::Test {
 protected:
  // Labels of a batch of one.
  Output loss(const Output& logits, const std::vector<std::int32_t>& labels, std::int32_t frames) {
    const auto count = static_cast<std::int64_t>(labels.size());
    const Tensor values = Tensor::of<std::int32_t>({count}, std::span(labels));
    Tensor indices(DType::i64, {count, 2});
    for (std::size_t i = 0; i < labels.size(); ++i) {
      indices.data<std::int64_t>()[2 * i] = 0;
      indices.data<std::int64_t>()[2 * i + 1] = static_cast<std::int64_t>(i);
    }
    return scope_
        .add("CTCLoss",
             {logits, scope_.constant(indices, "indices"), scope_.constant(values, "values"),
              scope_.constant(Tensor::vector<std::int32_t>({frames}), "frames")})
        .output(0);
  }
  std::vector<double> run(const Output& logits, const Tensor& value, const Output& fetch) {
    const Feed feed{logits, value};
    const std::vector<Tensor> out = Session(graph_).run({&feed, 1}, {&fetch, 1});
    const auto flat = out[0].flat<double>();
    return {flat.begin(), flat.end()};
  }
  Output placeholder() { return scope_.add("Placeholder", {}, {{"dtype", DType::f64}}).output(0); }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
};

Tensor some_logits(Shape shape) {
  Tensor logits(DType::f64, std::move(shape));
  for (std::int64_t i = 0; i < logits.element_count(); ++i)
    logits.data<double>()[i] = std::sin(static_cast<double>(i * i + 1));
  return logits;
}

TEST_F(CtcLoss, gradient_is_the_slope) {
  const Output x = placeholder();
  const Output y = loss(x, {2, 2, 0}, 6);
  const Output dx = gradients(scope_, {&y, 1}, {&x, 1})[0].dense();
  Tensor logits = some_logits({7, 1, 4});
  const std::vector<double> slopes = run(x, logits, dx);
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    Tensor moved = logits.clone();
    moved.data<double>()[i] += kStep;
    const double above = run(x, moved, y)[0];
    moved.data<double>()[i] -= 2 * kStep;
    EXPECT_NEAR(slopes[i], (above - run(x, moved, y)[0]) / (2 * kStep), 1e-9) << i;
  }
}

// TensorFlow reads outside of its matrix here.
TEST_F(CtcLoss, only_blanks_have_one_alignment) {
  const Output x = placeholder();
  const Tensor logits = some_logits({5, 1, 3});
  double want = 0;
  for (int t = 0; t < 5; ++t) {
    const double* row = logits.data<double>() + 3 * t;
    want -= row[2] - std::log(std::exp(row[0]) + std::exp(row[1]) + std::exp(row[2]));
  }
  EXPECT_NEAR(run(x, logits, loss(x, {2}, 5))[0], want, 1e-12);
}

// 600 frames, each of which gives its label a probability of e^-50.
TEST_F(CtcLoss, probabilities_may_be_smaller_than_any_double) {
  const Output x = placeholder();
  Tensor logits(DType::f64, {600, 1, 3});
  for (int t = 0; t < 600; ++t) {
    double* row = logits.data<double>() + 3 * t;
    row[0] = row[1] = -50;
    row[2] = 0;
  }
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 600; ++i) labels.push_back(i % 2);
  const double each = 50 + std::log1p(2 * std::exp(-50.0));
  EXPECT_NEAR(run(x, logits, loss(x, labels, 600))[0], 600 * each, 1e-8);
}

}  // namespace
}  // namespace rill
