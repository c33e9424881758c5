#include <algorithm>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Window {
  Numbers ksize, strides;
  const char* padding;
  Shape results;

  AttrMap attrs() const {
    return {{"ksize", ksize}, {"strides", strides}, {"padding", std::string(padding)}};
  }
};

const Shape kImages{2, 5, 6, 3};
const std::vector<Window> kWindows = {{{1, 2, 2, 1}, {1, 2, 2, 1}, "VALID", {2, 2, 3, 3}},
                                      {{1, 3, 2, 1}, {1, 2, 1, 1}, "SAME", {2, 3, 6, 3}},
                                      {{1, 3, 3, 1}, {1, 1, 1, 1}, "SAME", {2, 5, 6, 3}},
                                      {{1, 5, 6, 1}, {1, 1, 1, 1}, "VALID", {2, 1, 1, 3}}};

Tensor ints(const Numbers& numbers) {
  Tensor t(DType::i32, {static_cast<std::int64_t>(numbers.size())});
  std::ranges::copy(numbers, t.data<std::int32_t>());
  return t;
}

// Of doubles all are different, so that differences find the same largest ones.
Tensor images(DType type) {
  if (type != DType::f64) return random(type, kImages, 1, 0, 9);
  Tensor t = sequence(type, kImages);
  const auto values = t.flat<double>();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i * 37 % values.size());
  return t;
}

void add_plane(std::vector<OpCase>& cases) {
  for (const Window& w : kWindows) {
    for (const DType type : {DType::f32, DType::f64, DType::f16, DType::i32, DType::u8}) {
      const Tensor x = images(type);
      cases.push_back({.op = "MaxPool", .in = {x}, .attrs = w.attrs()});
      cases.push_back({.op = "MaxPoolV2",
                       .in = {x, ints(w.ksize), ints(w.strides)},
                       .attrs = {{"padding", std::string(w.padding)}}});
      cases.push_back({.op = "MaxPoolWithArgmax", .in = {x}, .attrs = w.attrs()});
    }
    for (const DType type : {DType::f32, DType::f64, DType::f16}) {
      cases.push_back({.op = "AvgPool",
                       .in = {random(type, kImages, 1)},
                       .attrs = w.attrs(),
                       .atol = type == DType::f16 ? 1e-3 : 1e-6});
      cases.push_back({.op = "AvgPoolGrad",
                       .in = {ints({2, 5, 6, 3}), random(type, w.results, 2)},
                       .attrs = w.attrs(),
                       .atol = type == DType::f16 ? 4e-3 : 1e-6});
    }
  }
}

void add_pool_gradients(std::vector<OpCase>& cases) {
  // With windows that do not overlap and cover everything, the results are known without running.
  const Tensor x = tensor<float>({1, 2, 4, 1}, {1, 5, 2, 3, 4, 0, 9, 7});
  const Tensor y = tensor<float>({1, 1, 2, 1}, {5, 9}), dy = tensor<float>({1, 1, 2, 1}, {10, 20});
  const Window w{{1, 2, 2, 1}, {1, 2, 2, 1}, "VALID", {1, 1, 2, 1}};
  cases.push_back({.op = "MaxPoolGrad", .in = {x, y, dy}, .attrs = w.attrs()});
  cases.push_back({.op = "MaxPoolGradV2",
                   .in = {x, y, dy, ints(w.ksize), ints(w.strides)},
                   .attrs = {{"padding", std::string("VALID")}}});
  cases.push_back({.op = "MaxPoolGradGrad", .in = {x, y, x}, .attrs = w.attrs()});
  cases.push_back({.op = "MaxPoolGradGradV2",
                   .in = {x, y, x, ints(w.ksize), ints(w.strides)},
                   .attrs = {{"padding", std::string("VALID")}}});
  cases.push_back({.op = "MaxPoolGradWithArgmax",
                   .in = {x, dy, tensor<std::int64_t>({1, 1, 2, 1}, {1, 6})},
                   .attrs = w.attrs()});
}

void add_volumes(std::vector<OpCase>& cases) {
  const Window w{{1, 2, 2, 3, 1}, {1, 1, 2, 2, 1}, "SAME", {1, 3, 2, 3, 2}};
  const Shape volumes{1, 3, 4, 5, 2};
  cases.push_back(
      {.op = "MaxPool3D", .in = {random<float>(volumes, 1)}, .attrs = w.attrs(), .grad = false});
  cases.push_back(
      {.op = "AvgPool3D", .in = {random<float>(volumes, 1)}, .attrs = w.attrs(), .atol = 1e-6});
  cases.push_back({.op = "AvgPool3DGrad",
                   .in = {ints({1, 3, 4, 5, 2}), random<float>(w.results, 2)},
                   .attrs = w.attrs(),
                   .atol = 1e-6});
  const Window one{{1, 1, 2, 2, 1}, {1, 1, 2, 2, 1}, "VALID", {1, 1, 1, 2, 1}};
  const Tensor x = tensor<float>({1, 1, 2, 4, 1}, {1, 5, 2, 3, 4, 0, 9, 7});
  const Tensor y = tensor<float>({1, 1, 1, 2, 1}, {5, 9}),
               dy = tensor<float>({1, 1, 1, 2, 1}, {10, 20});
  cases.push_back({.op = "MaxPool3DGrad", .in = {x, y, dy}, .attrs = one.attrs(), .grad = false});
  cases.push_back(
      {.op = "MaxPool3DGradGrad", .in = {x, y, x}, .attrs = one.attrs(), .grad = false});
}

void add_other_pools(std::vector<OpCase>& cases) {
  const auto refuse = [&](Numbers ksize, Numbers strides, const char* error) {
    cases.push_back({.op = "MaxPool",
                     .in = {random<float>(kImages, 1)},
                     .attrs = {{"ksize", std::move(ksize)},
                               {"strides", std::move(strides)},
                               {"padding", std::string("VALID")}},
                     .error = error});
  };
  refuse({1, 9, 2, 1}, {1, 1, 1, 1}, "[Nn]egative");
  refuse({1, 0, 2, 1}, {1, 1, 1, 1}, "ksize");
  refuse({1, 2, 2, 1}, {1, 0, 1, 1}, "[Ss]tride");
  cases.push_back({.op = "MaxPool",
                   .in = {tensor<float>({1, 1, 2, 4}, {1, 2, 3, 4, 8, 7, 5, 6})},
                   .attrs = {{"ksize", Numbers{1, 1, 1, 2}},
                             {"strides", Numbers{1, 1, 1, 2}},
                             {"padding", std::string("SAME")}},
                   .name = "across_channels",
                   .grad = false,
                   .want = {tensor<float>({1, 1, 2, 2}, {2, 4, 8, 6})}});
  // TensorFlow's CPU pools with channels last only.
  cases.push_back({.op = "MaxPool",
                   .in = {tensor<float>({1, 2, 2, 2}, {1, 2, 3, 4, 8, 7, 6, 5})},
                   .attrs = {{"ksize", Numbers{1, 1, 2, 1}},
                             {"strides", Numbers{1, 1, 1, 1}},
                             {"padding", std::string("VALID")},
                             {"data_format", std::string("NCHW")}},
                   .name = "channels_first",
                   .grad = false,
                   .want = {tensor<float>({1, 2, 1, 2}, {3, 4, 8, 7})}});
}

}  // namespace

extern const OpCases kPoolCases{"pool", [] {
                                  std::vector<OpCase> cases;
                                  add_plane(cases);
                                  add_pool_gradients(cases);
                                  add_volumes(cases);
                                  add_other_pools(cases);
                                  return cases;
                                }};

}  // namespace rill
