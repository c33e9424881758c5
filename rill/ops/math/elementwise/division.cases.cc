#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kDivisionCases{
    "division", [] {
      std::vector<OpCase> cases;
      const auto dividends = [](DType type) {
        return values(type, {8}, {7, -7, 7, -7, 0, 9, -9, 100});
      };
      const auto divisors = [](DType type) {
        return values(type, {8}, {2, 2, -2, -2, 3, 3, 3, -7});
      };
      for (const char* op : {"Div", "FloorDiv"})
        for (const DType type :
             {DType::f16, DType::f32, DType::f64, DType::i16, DType::i32, DType::i64})
          cases.push_back({.op = op, .in = {dividends(type), divisors(type)}});
      for (const DType type : {DType::i16, DType::i32, DType::i64})
        cases.push_back({.op = "TruncateDiv", .in = {dividends(type), divisors(type)}});
      for (const char* op : {"Mod", "FloorMod", "TruncateMod"})
        for (const DType type : {DType::f32, DType::f64, DType::i32, DType::i64})
          cases.push_back({.op = op, .in = {dividends(type), divisors(type)}});
      for (const char* op : {"Div", "FloorDiv", "TruncateDiv"})
        cases.push_back(
            {.op = op,
             .in = {values(DType::u8, {3}, {7, 200, 255}), values(DType::u8, {3}, {2, 3, 255})}});
      for (const DType type :
           {DType::f16, DType::bf16, DType::f32, DType::f64, DType::c64, DType::c128})
        cases.push_back(
            {.op = "RealDiv", .in = {random(type, {2, 3}, 1, 1, 4), random(type, {3}, 2, 1, 4)}});
      cases.push_back({.op = "RealDiv",
                       .in = {tensor<float>({4}, {1, -1, 0, INFINITY}),
                              tensor<float>({4}, {0, 0, 0, INFINITY})}});
      cases.push_back({.op = "FloorDiv",
                       .in = {tensor<float>({5}, {7, 1, 0, INFINITY, -1}),
                              tensor<float>({5}, {-2, 0, 0, 2, INFINITY})}});
      cases.push_back({.op = "FloorMod",
                       .in = {tensor<float>({6}, {1, INFINITY, 1, -1, -1, 5.5}),
                              tensor<float>({6}, {0, 2, INFINITY, INFINITY, 1, -2})}});
      cases.push_back({.op = "Mod", .in = {tensor<float>({3}, {5.5, -5.5, 1}), scalar<float>(2)}});
      for (const char* op : {"Div", "FloorDiv", "TruncateDiv", "Mod", "FloorMod", "TruncateMod"})
        cases.push_back(
            {.op = op, .in = {scalar<std::int32_t>(-2147483647 - 1), scalar<std::int32_t>(-1)}});
      cases.push_back(
          {.op = "FloorDiv", .in = {scalar<std::int8_t>(-128), scalar<std::int8_t>(-1)}});
      for (const char* op : {"Div", "FloorDiv", "Mod", "FloorMod"})
        cases.push_back(
            {.op = op,
             .in = {tensor<std::int32_t>({2}, {1, 2}), tensor<std::int32_t>({2}, {1, 0})},
             .error = "Integer division by zero"});
      cases.push_back(
          {.op = "Div", .in = {tensor<std::int64_t>({0}, {}), tensor<std::int64_t>({1}, {0})}});
      // Several blocks of a row, odd ends, and int64 that is not in the range of int32.
      for (const char* op : {"Div", "FloorDiv"})
        for (const DType type :
             {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16})
          cases.push_back(
              {.op = op,
               .in = {random(type, {601}, 3, kUnsignedIntTypes.contains(type) ? 0 : -99, 99),
                      random(type, {601}, 4, 1, 9)}});
      for (const char* op : {"Div", "FloorDiv", "Mod", "FloorMod"}) {
        for (const DType type : {DType::i32, DType::i64})
          cases.push_back({.op = op,
                           .in = {random(type, {601}, 5, -2147483648.0, 2147483647.0),
                                  random(type, {601}, 6, -9000, -1)}});
        cases.push_back({.op = op,
                         .in = {random<std::int64_t>({601}, 7, -9e18, 9e18),
                                random<std::int64_t>({601}, 8, 1, 9e9)}});
        cases.push_back({.op = op,
                         .in = {tensor<std::int64_t>({4}, {-2147483648, 2147483647, 2147483648,
                                                           -9223372036854775807 - 1}),
                                tensor<std::int64_t>({4}, {-1, -1, -1, -1})}});
      }
      for (const char* op : {"Mod", "FloorMod"}) {
        cases.push_back({.op = op,
                         .in = {random<float>({601}, 9, -50, 50), random<float>({601}, 10, -3, 3)},
                         .rtol = 0,
                         .grad = false});
        cases.push_back(
            {.op = op,
             .in = {tensor<float>({8}, {3e38f, -4, 1e-45f, 1, -1e9f, NAN, 16777216, -0.0f}),
                    tensor<float>({8}, {1e-3f, 2, 1e-44f, 3e38f, 0.7f, 1, 3, 2})},
             .rtol = 0,
             .grad = false});
      }
      return cases;
    }};

}  // namespace rill
