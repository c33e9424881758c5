#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr DType kOrdered[] = {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8,
                              DType::i16, DType::i32,  DType::i64, DType::u8,  DType::u16};

void add_sorted(std::vector<OpCase>& cases) {
  const Tensor ids = tensor<std::int32_t>({5}, {0, 0, 2, 3, 3});
  for (const char* op : {"SegmentSum", "SegmentMean", "SegmentProd", "SegmentMin", "SegmentMax"}) {
    for (const DType type : kOrdered)
      cases.push_back({.op = op, .in = {random(type, {5, 3}, 1, 1, 9), ids}});
    cases.push_back(
        {.op = op, .in = {random<float>({3, 2, 2}, 2), tensor<std::int64_t>({3}, {1, 1, 2})}});
    cases.push_back({.op = op, .in = {tensor<float>({0, 2}, {}), tensor<std::int32_t>({0}, {})}});
    cases.push_back({.op = op,
                     .in = {random<float>({3}, 1), tensor<std::int32_t>({3}, {0, 2, 1})},
                     .error = "segment ids are not increasing|not sorted"});
    cases.push_back({.op = op,
                     .in = {random<float>({3}, 1), tensor<std::int32_t>({3}, {-1, 0, 1})},
                     .error = "out of range \\[0, 2\\)"});
    cases.push_back({.op = op,
                     .in = {random<float>({3}, 1), tensor<std::int32_t>({2}, {0, 1})},
                     .error = "same size as dimension 0|must be equal"});
  }
  for (const char* op : {"SegmentSum", "SegmentMean", "SegmentProd"})
    for (const DType type : {DType::c64, DType::c128})
      cases.push_back({.op = op, .in = {random(type, {5, 3}, 1), ids}});
  // A number that comes after NaN replaces it.
  for (const auto& [op, name] : {std::pair("SegmentMin", "nan_min"), {"SegmentMax", "nan_max"}})
    cases.push_back({.op = op,
                     .in = {tensor<float>({5, 2}, {1, NAN, NAN, 2, NAN, 3, 4, NAN, 5, NAN}),
                            tensor<std::int32_t>({5}, {0, 0, 1, 1, 1})},
                     .name = name,
                     .grad = false});
}

void add_unsorted(std::vector<OpCase>& cases, const char* op) {
  for (const DType type : kOrdered)
    cases.push_back({.op = op,
                     .in = {random(type, {4, 3}, 1, 1, 9), tensor<std::int32_t>({4}, {2, 0, 2, 1}),
                            scalar<std::int32_t>(4)}});
  cases.push_back(
      {.op = op,
       .in = {random<float>({2, 3, 2}, 5), tensor<std::int64_t>({2, 3}, {0, -1, 1, 1, 0, -1}),
              scalar<std::int64_t>(3)}});
  cases.push_back(
      {.op = op,
       .in = {random<float>({3}, 1), tensor<std::int32_t>({3}, {0, 4, 1}), scalar<std::int32_t>(4)},
       .error = "is out of range \\[0, 4\\)"});
  cases.push_back(
      {.op = op,
       .in = {tensor<float>({0, 2}, {}), tensor<std::int32_t>({0}, {}), scalar<std::int32_t>(2)}});
}

}  // namespace

extern const OpCases kSegmentCases{
    "segment", [] {
      std::vector<OpCase> cases;
      add_sorted(cases);
      for (const char* op : {"UnsortedSegmentSum", "UnsortedSegmentProd", "UnsortedSegmentMin",
                             "UnsortedSegmentMax"})
        add_unsorted(cases, op);
      for (const char* op : {"UnsortedSegmentSum", "UnsortedSegmentProd"})
        for (const DType type : {DType::c64, DType::c128})
          cases.push_back({.op = op,
                           .in = {random(type, {4, 3}, 1), tensor<std::int32_t>({4}, {2, 0, 2, 1}),
                                  scalar<std::int32_t>(4)}});
      // A product with a zero, and with two.
      cases.push_back(
          {.op = "UnsortedSegmentProd",
           .in = {tensor<double>({6}, {0, 2, 3, 0, 0, 5}),
                  tensor<std::int32_t>({6}, {0, 0, 0, 1, 1, 1}), scalar<std::int32_t>(2)},
           .name = "zeros",
           .grad = false});
      return cases;
    }};

}  // namespace rill
