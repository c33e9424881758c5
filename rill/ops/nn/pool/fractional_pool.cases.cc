#include <algorithm>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

struct Pool {
  Shape images;
  std::vector<float> ratio;
  bool pseudo_random = false, overlapping = false;
  std::int64_t seed = 1, seed2 = 2;
  AttrMap attrs() const {
    return {{"pooling_ratio", ratio},
            {"pseudo_random", pseudo_random},
            {"overlapping", overlapping},
            {"deterministic", true},
            {"seed", seed},
            {"seed2", seed2}};
  }
};

std::vector<Pool> pools() {
  std::vector<Pool> all;
  for (const bool pseudo_random : {false, true})
    for (const bool overlapping : {false, true}) {
      all.push_back({{2, 12, 15, 3}, {1, 1.44F, 1.73F, 1}, pseudo_random, overlapping});
      all.push_back({{1, 7, 33, 2}, {1, 1.1F, 2.3F, 1}, pseudo_random, overlapping, 7, 0});
      all.push_back({{1, 30, 5, 1}, {1, 3.7F, 1, 1}, pseudo_random, overlapping, 0, 123456789});
      all.push_back({{1, 8, 9, 1}, {1, 2, 3, 1}, pseudo_random, overlapping, -5, 6});
    }
  return all;
}

// All different, so that differences find the same largest ones.
Tensor distinct(DType type, const Shape& shape) {
  Tensor t = sequence(DType::f64, shape);
  const auto values = t.flat<double>();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i * 37 % values.size());
  Tensor cast(type, shape);
  for (std::int64_t i = 0; i < t.element_count(); ++i) {
    const double value = t.data<double>()[i];
    type == DType::f32   ? void(cast.data<float>()[i] = static_cast<float>(value))
    : type == DType::f64 ? void(cast.data<double>()[i] = value)
    : type == DType::i32 ? void(cast.data<std::int32_t>()[i] = static_cast<std::int32_t>(value))
                         : void(cast.data<std::int64_t>()[i] = static_cast<std::int64_t>(value));
  }
  return cast;
}

Tensor ends(std::initializer_list<std::int64_t> numbers) {
  return tensor<std::int64_t>({static_cast<std::int64_t>(numbers.size())}, numbers);
}

void add_fractional_pool_gradients(std::vector<OpCase>& cases) {
  for (const DType type : {DType::f32, DType::f64, DType::i32, DType::i64}) {
    const Tensor x = values(type, {1, 3, 4, 1}, {1, 5, 2, 3, 4, 0, 9, 7, 6, 6, 8, 8}),
                 dy = values(type, {1, 2, 2, 1}, {10, 20, 30, 40});
    const Tensor apart = values(type, {1, 2, 2, 1}, {5, 9, 6, 8}),
                 shared = values(type, {1, 2, 2, 1}, {9, 9, 8, 8});
    for (const bool overlapping : {false, true}) {
      const AttrMap attrs{{"overlapping", overlapping}};
      cases.push_back(
          {.op = "FractionalMaxPoolGrad",
           .in = {x, overlapping ? shared : apart, dy, ends({0, 2, 3}), ends({0, 2, 4})},
           .attrs = attrs});
      cases.push_back({.op = "FractionalAvgPoolGrad",
                       .in = {ends({1, 3, 4, 1}), dy, ends({0, 2, 3}), ends({0, 1, 4})},
                       .attrs = attrs});
    }
  }
}

void add_fractional_pool_errors(std::vector<OpCase>& cases) {
  const auto refuse = [&](Shape images, std::vector<float> ratio, const char* error,
                          AttrMap more = {}) {
    more.emplace("pooling_ratio", std::move(ratio));
    cases.push_back({.op = "FractionalMaxPool",
                     .in = {random<float>(std::move(images), 1)},
                     .attrs = std::move(more),
                     .error = error});
  };
  const Shape images{1, 4, 4, 1};
  refuse({4, 4, 1}, {1, 1, 1, 1}, "rank 4|4-dimensional");
  refuse(images, {1, 0.5, 1, 1}, "pooling_ratio cannot be smaller than 1, got: 0.5");
  refuse(images, {2, 1, 1, 1}, "batch nor channel dimension|higher than input dimension");
  refuse(images, {1, 5, 1, 1}, "Pooling ratio is higher than input dimension size for dimension 1");
  refuse(images, {1, 1, 1, 1, 1}, "must specify 4 dimensions");
  refuse(images, {1, 1.5, 1.5, 1}, "should be 0 if deterministic is false",
         {{"seed", std::int64_t{1}}});
  const Tensor x = sequence<float>({1, 4, 4, 1}), y = tensor<float>({1, 2, 2, 1}, {5, 7, 13, 14});
  cases.push_back({.op = "FractionalMaxPoolGrad",
                   .in = {x, y, y, ends({0, 2, 4}), ends({0, 2, 4})},
                   .error = "tensor_out_dup is not the same as tensor_out"});
}

}  // namespace

extern const OpCases kFractionalPoolCases{
    "fractional_pool", [] {
      std::vector<OpCase> cases;
      for (const Pool& pool : pools())
        for (const DType type : {DType::f32, DType::f64, DType::i32, DType::i64})
          for (const char* op : {"FractionalMaxPool", "FractionalAvgPool"})
            cases.push_back({.op = op, .in = {distinct(type, pool.images)}, .attrs = pool.attrs()});
      add_fractional_pool_gradients(cases);
      add_fractional_pool_errors(cases);
      return cases;
    }};

}  // namespace rill
