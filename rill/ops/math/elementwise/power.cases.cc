#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kPowerCases{
    "power", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::f16, DType::f32, DType::f64, DType::c64, DType::c128})
        cases.push_back({.op = "Pow",
                         .in = {random(type, {2, 3}, 1, 0.5, 3), random(type, {3}, 2, -2, 2)},
                         .rtol = type == DType::c64 ? 1e-4 : -1});
      for (const DType type : {DType::i32, DType::i64})
        cases.push_back(
            {.op = "Pow",
             .in = {values(type, {5}, {2, 3, 0, -2, 2}), values(type, {5}, {3, 0, 0, 3, 31})}});
      cases.push_back(
          {.op = "Pow",
           .in = {tensor<float>({5}, {2, -2, 0, 0, -8}), tensor<float>({5}, {0.5, 3, 0, -1, 0.3f})},
           .grad = false});
      cases.push_back(
          {.op = "Pow",
           .in = {tensor<std::int32_t>({2}, {2, 1}), tensor<std::int32_t>({2}, {1, -1})},
           .error = "Integers to negative integer powers are not allowed"});
      for (const DType type :
           {DType::f16, DType::f32, DType::f64, DType::i32, DType::i64, DType::c64, DType::c128})
        cases.push_back({.op = "SquaredDifference",
                         .in = {random(type, {2, 3}, 3, -5, 5), random(type, {3}, 4, -5, 5)},
                         .atol = 1e-3});
      for (const char* op : {"DivNoNan", "MulNoNan", "Xdivy", "Xlogy"}) {
        for (const DType type : {DType::f32, DType::f64, DType::c64, DType::c128})
          cases.push_back(
              {.op = op, .in = {random(type, {2, 3}, 5, 1, 4), random(type, {3}, 6, 1, 4)}});
        cases.push_back({.op = op,
                         .in = {tensor<float>({6}, {1, 0, NAN, INFINITY, 0, 2}),
                                tensor<float>({6}, {0, 0, 0, 0, 3, 2})},
                         .grad = false});
      }
      for (const DType type : {DType::f32, DType::f64})
        cases.push_back({.op = "Atan2", .in = {random(type, {2, 3}, 7), random(type, {3}, 8)}});
      cases.push_back({.op = "Atan2",
                       .in = {tensor<float>({4}, {0, 1, -1, 0}), tensor<float>({4}, {-1, 0, 0, 1})},
                       .grad = false});
      for (const DType type : {DType::i32, DType::i64})
        cases.push_back(
            {.op = "Pow", .in = {random(type, {300}, 9, -5, 9), random(type, {300}, 10, 0, 40)}});
      cases.push_back({.op = "Pow",
                       .in = {tensor<std::int64_t>({3}, {3, -1, 2}),
                              tensor<std::int64_t>({3}, {9223372036854775807, 4294967297, 63})}});
      const auto around = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN};
      cases.push_back({.op = "Atan2",
                       .in = {tensor<float>({7, 1}, around), tensor<float>({1, 7}, around)},
                       .grad = false});
      cases.push_back({.op = "Atan2",
                       .in = {random<float>({333}, 11, -3, 3), random<float>({333}, 12, -3, 3)},
                       .grad = false});
      for (const DType type : {DType::f32, DType::f64})
        cases.push_back({.op = "Xlogy",
                         .in = {random(type, {203}, 13), random(type, {203}, 14, 0, 9)},
                         .grad = false});
      return cases;
    }};

}  // namespace rill
