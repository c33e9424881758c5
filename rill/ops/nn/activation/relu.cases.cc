#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kReluCases{
    "relu", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Relu", "Relu6"}) {
        for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8,
                                 DType::i16, DType::i32, DType::i64, DType::u8, DType::u16})
          cases.push_back(
              {.op = op,
               .in = {random(type, {3, 5}, 1, kUnsignedIntTypes.contains(type) ? 0 : -9, 9)}});
        cases.push_back(
            {.op = op, .in = {tensor<float>({4}, {NAN, INFINITY, -INFINITY, 0})}, .grad = false});
      }
      for (const char* op : {"ReluGrad", "Relu6Grad"}) {
        for (const DType type :
             {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i32, DType::i64})
          cases.push_back(
              {.op = op, .in = {random(type, {3, 5}, 1, -9, 9), random(type, {3, 5}, 2, -9, 9)}});
        cases.push_back(
            {.op = op,
             .in = {tensor<float>({4}, {1, 1, 1, 2}), tensor<float>({4}, {NAN, 0, 6, 3})},
             .grad = false});
      }
      for (const DType type : {DType::f16, DType::f32, DType::f64}) {
        cases.push_back(
            {.op = "LeakyRelu", .in = {random(type, {3, 5}, 1)}, .attrs = {{"alpha", 0.3}}});
        cases.push_back({.op = "LeakyReluGrad",
                         .in = {random(type, {3, 5}, 1), random(type, {3, 5}, 2)},
                         .attrs = {{"alpha", 0.3}}});
      }
      for (const DType type : {DType::bf16, DType::f16, DType::f32}) {
        cases.push_back({.op = "LeakyRelu", .in = {random(type, {1025}, 3)}, .grad = false});
        cases.push_back({.op = "LeakyReluGrad",
                         .in = {random(type, {1025}, 3), random(type, {1025}, 4)},
                         .grad = false});
      }
      cases.push_back({.op = "LeakyRelu",
                       .in = {tensor<float>({4}, {NAN, INFINITY, -INFINITY, -0.0f})},
                       .grad = false});
      return cases;
    }};

}  // namespace rill
