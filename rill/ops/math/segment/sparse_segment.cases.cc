#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;

void add_forward(std::vector<OpCase>& cases, const char* op, bool counted) {
  const auto with_count = [&](std::vector<CaseInput> in, int count) {
    if (counted) in.emplace_back(scalar<I>(count));
    return in;
  };
  const Tensor ids = tensor<I>({4}, {0, 0, 2, 2});
  const auto add = [&](std::vector<CaseInput> in, const char* error = "") {
    cases.push_back({.op = op, .in = with_count(std::move(in), 4), .error = error});
  };
  for (const DType type : {DType::f32, DType::f64})
    for (const DType index : {DType::i32, DType::i64})
      add({random(type, {5, 3}, 1), values(index, {4}, {4, 0, 1, 1}), ids});
  add({random<float>({3, 2, 2}, 2), tensor<I>({2}, {2, 1}), tensor<I>({2}, {1, 3})});
  add({random<float>({3, 2}, 2), tensor<I>({0}, {}), tensor<I>({0}, {})});
  add({random<float>({5, 3}, 1), tensor<I>({4}, {4, 0, 5, 1}), ids}, "out of range \\[0, 5\\)");
  add({random<float>({5, 3}, 1), tensor<I>({2}, {4, 0}), tensor<I>({2}, {1, 0})},
      "segment ids are not increasing|not sorted");
  add({random<float>({5, 3}, 1), tensor<I>({3}, {4, 0, 1}), tensor<I>({2}, {0, 1})},
      "should have same size|must be equal|Shapes must be");
}

}  // namespace

extern const OpCases kSparseSegmentCases{
    "sparse_segment", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"})
        add_forward(cases, op, false);
      for (const char* op : {"SparseSegmentSumWithNumSegments", "SparseSegmentMeanWithNumSegments",
                             "SparseSegmentSqrtNWithNumSegments"})
        add_forward(cases, op, true);
      for (const DType type :
           {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16})
        cases.push_back({.op = "SparseSegmentSum",
                         .in = {random(type, {5, 3}, 1, 0, 9), tensor<I>({3}, {0, 0, 4}),
                                tensor<I>({3}, {0, 1, 1})}});
      for (const char* op : {"SparseSegmentMeanGrad", "SparseSegmentSqrtNGrad"}) {
        for (const DType type : {DType::f32, DType::f64})
          cases.push_back({.op = op,
                           .in = {random(type, {3, 2}, 1), tensor<I>({4}, {4, 0, 1, 1}),
                                  tensor<I>({4}, {0, 0, 2, 2}), scalar<I>(5)}});
        cases.push_back({.op = op,
                         .in = {random<float>({3, 2}, 1), tensor<I>({1}, {5}), tensor<I>({1}, {0}),
                                scalar<I>(5)},
                         .error = "out of range \\[0, 5\\)"});
        cases.push_back({.op = op,
                         .in = {random<float>({3, 2}, 1), tensor<I>({1}, {0}), tensor<I>({1}, {3}),
                                scalar<I>(5)},
                         .error = "[Ss]egment"});
      }
      return cases;
    }};

}  // namespace rill
