#include "tests/optest/op_case.h"

namespace rill {
namespace {

// About a third of the elements are zero.
Tensor thinned(DType type, Shape shape, std::uint64_t seed) {
  const Tensor t = random(type, shape, seed);
  const Tensor mask = random(DType::f32, shape, seed + 100, 0, 3);
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    if (mask.data<float>()[i] < 1) {
      if (type == DType::f32)
        t.data<float>()[i] = 0;
      else
        t.data<bfloat16>()[i] = bfloat16(0);
    }
  return t;
}

}  // namespace

extern const OpCases kSparseMatMulCases{
    "sparse_matmul", [] {
      std::vector<OpCase> cases;
      const char* op = "SparseMatMul";
      for (const DType a : {DType::f32, DType::bf16})
        for (const DType b : {DType::f32, DType::bf16})
          for (const bool turn_a : {false, true})
            for (const bool turn_b : {false, true})
              cases.push_back({.op = op,
                               .in = {thinned(a, turn_a ? Shape{5, 7} : Shape{7, 5}, 1),
                                      thinned(b, turn_b ? Shape{6, 5} : Shape{5, 6}, 2)},
                               .attrs = {{"transpose_a", turn_a},
                                         {"transpose_b", turn_b},
                                         {"a_is_sparse", true},
                                         {"b_is_sparse", turn_a}},
                               .rtol = 1e-5,
                               .atol = 1e-6,
                               .grad = false});
      cases.push_back({.op = op,
                       .in = {thinned(DType::f32, {70, 130}, 3), random<float>({130, 90}, 4)},
                       .attrs = {{"a_is_sparse", true}},
                       .atol = 1e-5,
                       .grad = false});
      cases.push_back({.op = op,
                       .in = {tensor<float>({0, 3}, {}), random<float>({3, 2}, 5)},
                       .attrs = {{"a_is_sparse", true}},
                       .grad = false});
      cases.push_back({.op = op,
                       .in = {tensor<float>({2, 0}, {}), tensor<float>({0, 2}, {})},
                       .attrs = {{"a_is_sparse", true}},
                       .grad = false});
      cases.push_back({.op = op,
                       .in = {random<float>({1, 2}, 1), random<float>({1, 2}, 2)},
                       .attrs = {{"a_is_sparse", true}},
                       .error = "Dimensions must be equal, but are 2 and 1"});
      cases.push_back({.op = op,
                       .in = {random<float>({2}, 1), random<float>({1, 2}, 2)},
                       .attrs = {{"a_is_sparse", true}},
                       .error = "Shape must be rank 2 but is rank 1"});
      return cases;
    }};

}  // namespace rill
