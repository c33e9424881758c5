#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kMatMulCases{
    "matmul", [] {
      std::vector<OpCase> cases;
      for (const bool ta : {false, true})
        for (const bool tb : {false, true}) {
          for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i32,
                                   DType::i64, DType::c64, DType::c128})
            cases.push_back({.op = "MatMul",
                             .in = {random(type, ta ? Shape{4, 3} : Shape{3, 4}, 1, -2, 3),
                                    random(type, tb ? Shape{5, 4} : Shape{4, 5}, 2, -2, 3)},
                             .attrs = {{"transpose_a", ta}, {"transpose_b", tb}},
                             .rtol = type == DType::f16 ? 5e-3 : -1,
                             .atol = type == DType::f16    ? 2e-2
                                     : type == DType::bf16 ? 0.1
                                                           : 1e-5});
          cases.push_back({.op = "MatMul",
                           .in = {random<float>(ta ? Shape{70, 33} : Shape{33, 70}, 3),
                                  random<float>(tb ? Shape{41, 70} : Shape{70, 41}, 4)},
                           .attrs = {{"transpose_a", ta}, {"transpose_b", tb}},
                           .atol = 1e-5,
                           .grad = false});
          for (const DType type : {DType::f32, DType::f64, DType::i32, DType::c64})
            for (const char* op : {"BatchMatMul", "BatchMatMulV2"})
              cases.push_back(
                  {.op = op,
                   .in = {random(type, ta ? Shape{2, 2, 4, 3} : Shape{2, 2, 3, 4}, 5, -2, 3),
                          random(type, tb ? Shape{2, 2, 5, 4} : Shape{2, 2, 4, 5}, 6, -2, 3)},
                   .attrs = {{"adj_x", ta}, {"adj_y", tb}},
                   .atol = 1e-5});
        }
      cases.push_back({.op = "BatchMatMulV2",
                       .in = {random<float>({2, 1, 3, 4}, 7), random<float>({3, 4, 2}, 8)},
                       .atol = 1e-5});
      cases.push_back({.op = "BatchMatMulV2",
                       .in = {random<float>({3, 4}, 7), random<float>({3, 4, 2}, 8)},
                       .atol = 1e-5});
      cases.push_back({.op = "MatMul",
                       .in = {tensor<float>({2, 0}, {}), tensor<float>({0, 3}, {})},
                       .grad = false});
      cases.push_back({.op = "MatMul",
                       .in = {tensor<float>({0, 2}, {}), random<float>({2, 3}, 1)},
                       .grad = false});
      cases.push_back({.op = "MatMul",
                       .in = {random<float>({256, 512}, 1), random<float>({512, 128}, 2)},
                       .atol = 1e-4,
                       .grad = false});
      cases.push_back({.op = "MatMul",
                       .in = {random<double>({70, 300}, 1), random<double>({300, 90}, 2)},
                       .atol = 1e-10,
                       .grad = false});
      cases.push_back(
          {.op = "MatMul",
           .in = {random<float>({1, 2}, 1), random<float>({1, 3}, 2)},
           .error = "Matrix size-incompatible: In\\[0\\]: \\[1,2\\], In\\[1\\]: \\[1,3\\]"});
      cases.push_back({.op = "_LoweredBatchMatMul",
                       .in = {random<float>({2, 5, 16}, 1), random<float>({2, 7, 16}, 2)},
                       .attrs = {{"adj_y", true}},
                       .atol = 0.05,  // rounded to bfloat16
                       .plain = "fetch BatchMatMulV2(in_0, in_1, adj_y=true)"});
      return cases;
    }};

}  // namespace rill
