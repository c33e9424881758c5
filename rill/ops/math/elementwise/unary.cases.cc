#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kUnaryCases{
    "unary", [] {
      std::vector<OpCase> cases;
      const Tensor extremes = tensor<float>({5}, {NAN, INFINITY, -INFINITY, -1, 0});
      for (const char* op : {"Neg", "Sign", "Square"}) {
        for (const DType type :
             {DType::f16, DType::f32, DType::f64, DType::i32, DType::i64, DType::c64, DType::c128})
          cases.push_back({.op = op, .in = {random(type, {3, 7}, 1, -9, 9)}});
        cases.push_back({.op = op, .in = {extremes}, .grad = false});
      }
      for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8,
                               DType::i16, DType::i32, DType::i64})
        cases.push_back({.op = "Abs", .in = {random(type, {3, 7}, 1, -9, 9)}});
      cases.push_back({.op = "Abs", .in = {tensor<std::int32_t>({2}, {-2147483647 - 1, -5})}});
      cases.push_back({.op = "Neg", .in = {tensor<std::int64_t>({2}, {INT64_MIN, -5})}});
      for (const char* op : {"Sqrt", "Rsqrt", "Reciprocal", "Inv"}) {
        for (const DType type : {DType::f16, DType::f32, DType::f64, DType::c64, DType::c128})
          cases.push_back({.op = op, .in = {random(type, {3, 7}, 2, 0.5, 9)}});
        cases.push_back({.op = op, .in = {extremes}, .grad = false});
      }
      cases.push_back({.op = "Square", .in = {random<float>({64, 1024}, 3)}});
      return cases;
    }};

}  // namespace rill
