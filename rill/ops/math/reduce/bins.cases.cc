#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;

void add_counts(std::vector<OpCase>& cases) {
  const Tensor numbers = tensor<I>({2, 3}, {1, 0, 3, 1, 5, 1});
  for (const DType type : {DType::i32, DType::i64, DType::f32, DType::f64}) {
    cases.push_back(
        {.op = "Bincount", .in = {numbers, scalar<I>(4), random(type, {2, 3}, 1, 0, 9)}});
    cases.push_back({.op = "Bincount", .in = {numbers, scalar<I>(6), values(type, {0}, {})}});
    cases.push_back({.op = "Bucketize",
                     .in = {values(type, {2, 3}, {-5, 0, 10, 100, 3, 2})},
                     .attrs = {{"boundaries", std::vector<float>{0, 2.5f, 10}}}});
    cases.push_back({.op = "HistogramFixedWidth",
                     .in = {values(type, {7}, {-1, 0, 1, 2, 5, 15, 4}), values(type, {2}, {0, 5}),
                            scalar<I>(5)}});
  }
  cases.push_back({.op = "HistogramFixedWidth",
                   .in = {random<float>({100}, 1), tensor<float>({2}, {-0.5f, 0.5f}), scalar<I>(7)},
                   .attrs = {{"dtype", DType::i64}}});
  cases.push_back({.op = "Bincount",
                   .in = {tensor<I>({2}, {1, -1}), scalar<I>(4), tensor<I>({0}, {})},
                   .error = "non-negative"});
  cases.push_back({.op = "Bincount",
                   .in = {tensor<I>({2}, {1, 1}), scalar<I>(-4), tensor<I>({0}, {})},
                   .error = "non-negative"});
  cases.push_back({.op = "HistogramFixedWidth",
                   .in = {tensor<float>({1}, {1}), tensor<float>({2}, {1, 1}), scalar<I>(4)},
                   .error = "value_range"});
  cases.push_back({.op = "Bucketize",
                   .in = {tensor<float>({1}, {1})},
                   .attrs = {{"boundaries", std::vector<float>{2, 1}}},
                   .error = "Expected sorted boundaries"});
}

void add_places(std::vector<OpCase>& cases) {
  for (const char* op : {"LowerBound", "UpperBound"}) {
    for (const DType type : {DType::f32, DType::f64, DType::f16, DType::i8, DType::i16, DType::i32,
                             DType::i64, DType::u8, DType::u16})
      cases.push_back({.op = op,
                       .in = {values(type, {2, 4}, {0, 3, 3, 10, 1, 2, 3, 4}),
                              values(type, {2, 3}, {3, 9, 20, 0, 2, 6})}});
    cases.push_back({.op = op,
                     .in = {sequence<float>({1, 4}), sequence<float>({1, 6}, -1)},
                     .attrs = {{"out_type", DType::i64}}});
    cases.push_back(
        {.op = op, .in = {sequence<float>({2, 4}), sequence<float>({1, 6})}, .error = "[Dd]im"});
  }
  for (const DType type : {DType::i32, DType::i64}) {
    const Tensor dims = values(type, {2}, {3, 4});
    cases.push_back({.op = "UnravelIndex", .in = {values(type, {3}, {0, 5, 11}), dims}});
    cases.push_back({.op = "UnravelIndex", .in = {values(type, {}, {7}), dims}});
    cases.push_back(
        {.op = "UnravelIndex", .in = {values(type, {1}, {12}), dims}, .error = "out of bound"});
    cases.push_back({.op = "UnravelIndex",
                     .in = {values(type, {1}, {0}), values(type, {2}, {3, 0})},
                     .error = "zero"});
  }
}

}  // namespace

extern const OpCases kBinsCases{"bins", [] {
                                  std::vector<OpCase> cases;
                                  add_counts(cases);
                                  add_places(cases);
                                  return cases;
                                }};

}  // namespace rill
