#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kCrossCases{
    "cross", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64})
        cases.push_back({.op = "Cross",
                         .in = {random(type, {5, 3}, 1, -3, 3), random(type, {5, 3}, 2, -3, 3)},
                         .atol = type == DType::bf16  ? 0.05
                                 : type == DType::f16 ? 0.01
                                                      : 1e-6});
      for (const DType type :
           {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16})
        cases.push_back(
            {.op = "Cross",
             .in = {random(type, {2, 4, 3}, 3, 0, 90), random(type, {2, 4, 3}, 4, 0, 90)}});
      cases.push_back(
          {.op = "Cross",
           .in = {tensor<float>({3}, {1, INFINITY, 3}), tensor<float>({3}, {NAN, 5, 6})},
           .grad = false});
      cases.push_back(
          {.op = "Cross", .in = {tensor<float>({0, 3}, {}), tensor<float>({0, 3}, {})}});
      const Tensor three = tensor<float>({3}, {1, 2, 3});
      cases.push_back({.op = "Cross",
                       .in = {scalar<float>(1), scalar<float>(1)},
                       .error = "Shape must be at least rank 1 but is rank 0"});
      cases.push_back({.op = "Cross",
                       .in = {three, tensor<float>({1, 3}, {1, 2, 3})},
                       .error = "Shapes must be equal rank, but are 1 and 2"});
      return cases;
    }};

}  // namespace rill
