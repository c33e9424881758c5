#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;

void add_selections(std::vector<OpCase>& cases) {
  for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16}) {
    const Tensor x = random(type, {3, 7}, 1, 0, 9);
    cases.push_back({.op = "TopKV2", .in = {x, scalar<I>(3)}, .grad = false});
    cases.push_back({.op = "NthElement", .in = {x, scalar<I>(2)}, .grad = false});
  }
  const Tensor distinct = tensor<double>({2, 4}, {3, 1, 4, 2, 8, 7, 5, 6});
  for (const int k : {0, 1, 2, 4})
    cases.push_back({.op = "TopKV2", .in = {distinct, scalar<I>(k)}});
  cases.push_back({.op = "TopKV2", .in = {random<float>({2, 3, 50}, 2), scalar<I>(10)}});
  cases.push_back({.op = "TopKV2", .in = {filled<float>({9}, 2), scalar<I>(4)}});
  // TensorFlow 2.15 declares this op but cannot run it.
  cases.push_back(
      {.op = "TopK",
       .in = {distinct},
       .attrs = {{"k", std::int64_t{2}}},
       .want = {tensor<double>({2, 2}, {4, 3, 8, 7}), tensor<I>({2, 2}, {2, 0, 0, 1})}});
  cases.push_back({.op = "TopKV2", .in = {distinct, scalar<I>(5)}, .error = "last dimension >= k"});
  cases.push_back({.op = "TopKV2", .in = {distinct, scalar<I>(-1)}, .error = "k >= 0"});
  cases.push_back({.op = "TopKV2", .in = {scalar<float>(1), scalar<I>(1)}, .error = "rank|>= 1-D"});
  cases.push_back({.op = "NthElement", .in = {distinct, scalar<I>(1)}});
  cases.push_back(
      {.op = "NthElement", .in = {distinct, scalar<I>(0)}, .attrs = {{"reverse", true}}});
  cases.push_back(
      {.op = "NthElement", .in = {distinct, scalar<I>(4)}, .error = "last dimension > n"});
}

void add_in_top_k(std::vector<OpCase>& cases) {
  const Tensor predictions = tensor<float>(
      {4, 4}, {0.1f, 0.3f, 0.2f, 0.4f, 0.1f, 0.3f, 0.3f, 0.3f, 1, 2, NAN, 0, 3, 2, 1, 0});
  for (const int k : {0, 1, 2, 5}) {
    cases.push_back({.op = "InTopK",
                     .in = {predictions, tensor<I>({4}, {1, 2, 1, 0})},
                     .attrs = {{"k", std::int64_t{k}}}});
    cases.push_back(
        {.op = "InTopKV2",
         .in = {predictions, tensor<std::int64_t>({4}, {3, 1, 0, 4}), scalar<std::int64_t>(k)}});
  }
  cases.push_back({.op = "InTopKV2",
                   .in = {predictions, tensor<I>({3}, {1, 2, 1}), scalar<I>(1)},
                   .error = "must"});
}

}  // namespace

extern const OpCases kTopKCases{"top_k", [] {
                                  std::vector<OpCase> cases;
                                  add_selections(cases);
                                  add_in_top_k(cases);
                                  return cases;
                                }};

}  // namespace rill
