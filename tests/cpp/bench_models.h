#pragma once

// The models of bench/model_graphs.py whose steps are counted, with fewer rows and words.
#include <cmath>

#include "rill/rill.h"

namespace rill::bench_models {

struct TrainingStep {
  Output loss;
  Node* train = nullptr;
  std::vector<Feed> feeds;
};

inline Output floats(TrainingStep& step, const Shape& shape) {
  Tensor t(DType::f32, shape);
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    t.data<float>()[i] = static_cast<float>(i * 37 % 101) / 101;
  std::vector<std::int64_t> dims(shape.dims().begin(), shape.dims().end());
  dims[0] = -1;
  const Output x = placeholder(DType::f32, PartialShape(dims));
  step.feeds.push_back({x, t});
  return x;
}
inline Output ids(TrainingStep& step, const Shape& shape, int count) {
  Tensor t(DType::i32, shape);
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    t.data<std::int32_t>()[i] = static_cast<std::int32_t>(i * 7 % count);
  std::vector<std::int64_t> dims(shape.dims().begin(), shape.dims().end());
  dims[0] = -1;
  const Output x = placeholder(DType::i32, PartialShape(dims));
  step.feeds.push_back({x, t});
  return x;
}
inline TrainingStep trained(TrainingStep step, const Output& logits, std::int64_t rows,
                            train::Optimizer&& optimizer) {
  const Output labels = ids(step, {rows}, 10);
  step.loss = losses::sparse_softmax_cross_entropy(labels, logits);
  step.train = &optimizer.minimize(step.loss);
  return step;
}

inline TrainingStep softmax_regression() {
  TrainingStep step;
  const Output x = floats(step, {100, 784});
  const Variable w(Tensor::zeros(DType::f32, {784, 10})), b(Tensor::zeros(DType::f32, {10}));
  return trained(step, raw::AddV2(raw::MatMul(x, w), b), 100, train::GradientDescentOptimizer(0.5));
}

inline TrainingStep mlp() {
  TrainingStep step;
  const Output x = floats(step, {128, 784});
  Output net = layers::dense(x, 256, {.activation = nn::relu});
  net = layers::dense(net, 256, {.activation = nn::relu});
  return trained(step, layers::dense(net, 10), 128, train::AdamOptimizer());
}

inline TrainingStep lenet() {
  TrainingStep step;
  const Output x = floats(step, {16, 28, 28, 1});
  Output net = x;
  for (const std::int64_t filters : {32, 64}) {
    net = layers::conv2d(net, filters, 5, {.padding = "same", .activation = nn::relu});
    net = layers::max_pooling2d(net, 2, 2);
  }
  net = layers::dense(layers::flatten(net), 512, {.activation = nn::relu});
  return trained(step, layers::dense(net, 10), 16, train::AdamOptimizer());
}

inline TrainingStep wide_and_deep() {
  constexpr std::int64_t kRows = 256, kColumns = 8, kWords = 2000, kWidth = 32;
  TrainingStep step;
  const Output x = ids(step, {kRows, kColumns}, kWords), y = floats(step, {kRows, 1});
  const Variable table = get_variable("embeddings", PartialShape{kWords, kWidth}),
                 weights = get_variable("wide", PartialShape{kWords, 1});
  Output deep = raw::Reshape(nn::embedding_lookup(table, x),
                             Tensor::vector<std::int32_t>({-1, kColumns * kWidth}));
  deep = layers::dense(deep, 128, {.activation = nn::relu});
  deep = layers::dense(deep, 64, {.activation = nn::relu});
  const Output wide = raw::Sum(nn::embedding_lookup(weights, x), Tensor::scalar(1));
  step.loss = losses::sigmoid_cross_entropy(y, raw::AddV2(layers::dense(deep, 1), wide));
  step.train = &train::AdagradOptimizer(0.05).minimize(step.loss);
  return step;
}

inline TrainingStep lstm_dynamic() {
  TrainingStep step;
  const Output x = floats(step, {32, 8, 28});
  nn::rnn_cell::LSTMCell cell(64);
  const nn::DynamicRnn made = nn::dynamic_rnn(cell, x, {.dtype = DType::f32});
  const Output last =
      raw::StridedSlice(made.output(), Tensor::vector<std::int32_t>({0, -1}),
                        Tensor::vector<std::int32_t>({0, 0}), Tensor::vector<std::int32_t>({1, 1}),
                        {.begin_mask = 1, .end_mask = 1, .shrink_axis_mask = 2});
  return trained(step, layers::dense(last, 10), 32, train::AdamOptimizer());
}

namespace transformer_parts {

constexpr std::int64_t kRows = 4, kLength = 16, kWords = 500, kWidth = 64, kHeads = 4, kInner = 256;

inline Tensor ints(std::initializer_list<std::int32_t> values) {
  return Tensor::vector<std::int32_t>(values);
}
inline Output gelu(Output x) {
  const Output cube = raw::Mul(Tensor::scalar(0.044715f), raw::Pow(x, Tensor::scalar(3.0f)));
  const auto factor = static_cast<float>(std::sqrt(2 / M_PI));
  const Output tanh = raw::Tanh(raw::Mul(Tensor::scalar(factor), raw::AddV2(x, cube)));
  return raw::Mul(x, raw::Mul(Tensor::scalar(0.5f), raw::AddV2(Tensor::scalar(1.0f), tanh)));
}
inline Output layer_norm(Output x, const char* scope) {
  const VariableScopeBlock block(scope);
  const Variable beta = get_variable("beta", PartialShape{kWidth}),
                 gamma = get_variable("gamma", PartialShape{kWidth});
  const nn::Moments m = nn::moments(x, {-1}, {.keepdims = true});
  return nn::batch_normalization(x, m.mean, m.variance, beta, gamma, 1e-12f);
}
inline Output attention(Output x) {
  const auto split = [&] {
    const Output made =
        raw::Reshape(layers::dense(x, kWidth), ints({-1, kLength, kHeads, kWidth / kHeads}));
    return raw::Transpose(made, ints({0, 2, 1, 3}));
  };
  const Output query = split(), key = split(), value = split();
  const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(kWidth / kHeads)));
  const Output scores =
      raw::Mul(raw::BatchMatMulV2(query, key, {.adj_y = true}), Tensor::scalar(scale));
  const Output context =
      raw::Transpose(raw::BatchMatMulV2(raw::Softmax(scores), value), ints({0, 2, 1, 3}));
  return layers::dense(raw::Reshape(context, ints({-1, kWidth})), kWidth);
}

}  // namespace transformer_parts

inline TrainingStep transformer() {
  using namespace transformer_parts;
  TrainingStep step;
  const Output x = ids(step, {kRows, kLength}, kWords);
  const Variable table = get_variable("words", PartialShape{kWords, kWidth}),
                 places = get_variable("places", PartialShape{kLength, kWidth});
  Output net = raw::AddV2(nn::embedding_lookup(table, x), places);
  net = layer_norm(raw::Reshape(net, ints({-1, kWidth})), "embedded");
  for (const char* layer : {"layer_0", "layer_1"}) {
    const VariableScopeBlock block(layer);
    net = layer_norm(raw::AddV2(net, attention(net)), "attended");
    const Output hidden = layers::dense(net, kInner, {.activation = gelu});
    net = layer_norm(raw::AddV2(net, layers::dense(hidden, kWidth)), "done");
  }
  const Output first =
      raw::StridedSlice(raw::Reshape(net, ints({-1, kLength, kWidth})), ints({0, 0}), ints({0, 1}),
                        ints({1, 1}), {.begin_mask = 1, .end_mask = 1, .shrink_axis_mask = 2});
  return trained(step, layers::dense(first, 10), kRows, train::AdamOptimizer(1e-4));
}

}  // namespace rill::bench_models
