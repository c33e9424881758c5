#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr const char* kNorm = R"(
  mean = Mean(in_0, [-1], keep_dims=true)
  off = Sub(in_0, mean)
  scale = Rsqrt(AddV2(Mean(Mul(off, off), [-1], keep_dims=true), 0.001))
  fetch AddV2(Mul(Mul(off, scale), in_1), in_2))";

// dx, and the sums over rows that are the gradients of gamma and beta.
constexpr const char* kNormGrad = R"(
  off = Sub(in_1, Mean(in_1, [-1], keep_dims=true))
  scale = Rsqrt(AddV2(Mean(Mul(off, off), [-1], keep_dims=true), 0.001))
  unit = Mul(off, scale)
  g = Mul(in_0, in_2)
  along = Mul(unit, Mean(Mul(g, unit), [-1], keep_dims=true))
  fetch Mul(scale, Sub(Sub(g, Mean(g, [-1], keep_dims=true)), along)),
        Sum(Mul(in_0, unit), [0]), Sum(in_0, [0]))";

}  // namespace

extern const OpCases kLayerNormCases{
    "layer_norm", [] {
      std::vector<OpCase> rows;
      const Tensor x = random<float>({5, 33}, 1, -3, 3), gamma = random<float>({33}, 2),
                   beta = random<float>({33}, 3), dy = random<float>({5, 33}, 4);
      rows.push_back({.op = "_LayerNorm", .in = {x, gamma, beta}, .atol = 1e-5, .plain = kNorm});
      rows.push_back(
          {.op = "_LayerNormGrad", .in = {dy, x, gamma}, .atol = 1e-5, .plain = kNormGrad});
      rows.push_back({.op = "_MaskedSoftmax",
                      .in = {x, list({random<float>({33}, 5, -5, 0)})},
                      .attrs = {{"scale", 0.5}},
                      .atol = 1e-6,
                      .plain = "fetch Softmax(AddV2(Mul(in_0, 0.5), in_1_0))"});
      rows.push_back({.op = "_MaskedSoftmax",
                      .in = {x, list({})},
                      .attrs = {{"num_masks", 0}},
                      .atol = 1e-6,
                      .plain = "fetch Softmax(in_0)"});
      rows.push_back({.op = "_SoftmaxGrad",
                      .in = {dy, random<float>({5, 33}, 6, 0, 1)},
                      .attrs = {{"scale", 0.5}},
                      .atol = 1e-5,
                      .plain = R"(
        sum = Sum(Mul(in_0, in_1), [-1], keep_dims=true)
        fetch Mul(0.5, Mul(Sub(in_0, sum), in_1)))"});
      return rows;
    }};

}  // namespace rill
