#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr DType kArithmeticTypes[] = {DType::f16, DType::bf16, DType::f32, DType::f64,
                                      DType::i8,  DType::i16,  DType::i32, DType::i64,
                                      DType::u8,  DType::c64,  DType::c128};

}  // namespace

extern const OpCases kArithmeticCases{
    "arithmetic", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Add", "AddV2", "Sub", "Mul"}) {
        for (const DType type : kArithmeticTypes) {
          const double low = type == DType::u8 ? 0 : -9;
          cases.push_back(
              {.op = op, .in = {random(type, {3, 4}, 1, low, 9), random(type, {3, 4}, 2, low, 9)}});
        }
        cases.push_back({.op = op, .in = {random<float>({300}, 3), scalar<float>(2.5f)}});
        cases.push_back({.op = op, .in = {scalar<float>(2.5f), random<float>({300}, 4)}});
        cases.push_back({.op = op, .in = {scalar<float>(2.5f), scalar<float>(-1)}});
        cases.push_back({.op = op, .in = {scalar<half>(2.5f), random<half>({300}, 5)}});
        cases.push_back({.op = op, .in = {random<float>({2, 1, 3}, 6), random<float>({4, 1}, 7)}});
        cases.push_back({.op = op, .in = {random<double>({5, 7}, 8), random<double>({7}, 9)}});
        cases.push_back({.op = op, .in = {random<float>({5, 7}, 8), random<float>({5, 1}, 9)}});
        cases.push_back({.op = op, .in = {tensor<float>({0, 3}, {}), random<float>({3}, 9)}});
        cases.push_back({.op = op,
                         .in = {tensor<float>({3}, {INFINITY, -INFINITY, NAN}),
                                tensor<float>({3}, {-INFINITY, 0, 1})}});
        cases.push_back(
            {.op = op, .in = {random<float>({2, 1, 2, 1}, 10), random<float>({1, 2, 1, 2}, 11)}});
        cases.push_back(
            {.op = op, .in = {random<float>({64, 1024}, 12), random<float>({64, 1024}, 13)}});
        cases.push_back({.op = op,
                         .in = {random<float>({2}, 1), random<float>({3}, 2)},
                         .error = "Incompatible shapes: \\[2\\] vs. \\[3\\]"});
      }
      cases.push_back({.op = "Add", .in = {strings({2}, {"a", "bc"}), strings({}, {"x"})}});
      cases.push_back({.op = "Add", .in = {strings({}, {"a"}), strings({2, 1}, {"x", ""})}});
      cases.push_back({.op = "Add", .in = {strings({2, 1}, {"a", "b"}), strings({2}, {"x", "y"})}});
      cases.push_back({.op = "Mul",
                       .in = {tensor<std::int32_t>({2}, {2147483647, 65536}),
                              tensor<std::int32_t>({2}, {2, 65536})}});
      cases.push_back(
          {.op = "Sub",
           .in = {tensor<std::uint16_t>({2}, {1, 65535}), tensor<std::uint16_t>({2}, {2, 1})}});
      return cases;
    }};

}  // namespace rill
