// What eager execution costs in C++: the calls of workloads_eager.py.
#include <benchmark/benchmark.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

constexpr std::int64_t kWidth = 64;

using Call = std::function<tf::Output()>;

tf::Output numbers(std::int64_t rows, std::int64_t columns) {
  return tf::random_uniform({rows, columns}, {.minval = -1.0f, .maxval = 1.0f, .seed = 1});
}

Call add() {
  return [x = tf::constant(1.5f), y = tf::constant(2.5f)] { return x + y; };
}

Call matmul() {
  return [x = numbers(10, 10)] { return tf::matmul(x, x); };
}

Call slice() {
  return [x = numbers(10, 10)] { return x[{3, tf::SliceRange{2, 5}}]; };
}

Call dense() {
  auto layer = std::make_shared<tf::layers::Dense>(
      kWidth, tf::layers::DenseOptions{.activation = tf::nn::relu});
  return [layer, x = numbers(32, kWidth)] { return (*layer)(x); };
}

Call lstm_step() {
  auto cell = std::make_shared<tf::nn::rnn_cell::LSTMCell>(kWidth);
  const auto state = cell->zero_state(8, tf::float32);
  return [cell, state, x = numbers(8, kWidth)] { return (*cell)(x, state).outputs.at(0); };
}

struct Mlp {
  using Dense = tf::layers::Dense;
  std::vector<std::unique_ptr<Dense>> layers;
  tf::train::AdamOptimizer adam{0.001};
  tf::Output x = numbers(32, 784), y = tf::constant(std::vector<std::int64_t>(32, 3));

  Mlp() {
    for (int i = 0; i < 2; ++i)
      layers.push_back(
          std::make_unique<Dense>(kWidth, tf::layers::DenseOptions{.activation = tf::nn::relu}));
    layers.push_back(std::make_unique<Dense>(10));
  }
  tf::Output step() {
    tf::Output loss;
    adam.minimize([&] {
      tf::Output net = x;
      for (auto& layer : layers) net = (*layer)(net);
      return loss = tf::reduce_mean(tf::nn::sparse_softmax_cross_entropy_with_logits(y, net));
    });
    return loss;
  }
};

Call mlp_step() {
  return [mlp = std::make_shared<Mlp>()] { return mlp->step(); };
}

void measure(benchmark::State& state, Call (*prepare)()) {
  const tf::AsDefault eagerly(tf::eager_graph());
  const Call call = prepare();
  for (int i = 0; i < 5; ++i) call();
  for (auto _ : state) benchmark::DoNotOptimize(call());
}
BENCHMARK_CAPTURE(measure, add, add)->Name("eager/add");
BENCHMARK_CAPTURE(measure, matmul, matmul)->Name("eager/matmul_10x10");
BENCHMARK_CAPTURE(measure, slice, slice)->Name("eager/slice");
BENCHMARK_CAPTURE(measure, dense, dense)->Name("eager/dense_layer");
BENCHMARK_CAPTURE(measure, lstm_step, lstm_step)->Name("eager/lstm_step");
BENCHMARK_CAPTURE(measure, mlp_step, mlp_step)->Name("eager/mlp_adam_tape_step");

}  // namespace
