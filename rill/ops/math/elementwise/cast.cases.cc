#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr DType kCastTypes[] = {DType::f16, DType::bf16, DType::f32,     DType::f64, DType::i8,
                                DType::i16, DType::i32,  DType::i64,     DType::u8,  DType::u16,
                                DType::u32, DType::u64,  DType::boolean, DType::c64, DType::c128};

}  // namespace

extern const OpCases kCastCases{
    "cast", [] {
      std::vector<OpCase> cases;
      for (const DType from : kCastTypes)
        for (const DType to : kCastTypes)
          if (from != to)
            cases.push_back({.op = "Cast",
                             .in = {random(from, {19}, 1, 0, 100)},
                             .attrs = {{"DstT", to}},
                             .perf = false});
      for (const DType type : {DType::qi8, DType::qu8, DType::qi16, DType::qu16, DType::qi32}) {
        for (const DType other : {DType::f16, DType::f32, DType::f64, DType::i8, DType::u8,
                                  DType::i64, DType::qi32, DType::qu8, DType::boolean}) {
          cases.push_back(
              {.op = "Cast", .in = {random(type, {9}, 1, 0, 100)}, .attrs = {{"DstT", other}}});
          cases.push_back(
              {.op = "Cast", .in = {random(other, {9}, 1, 0, 100)}, .attrs = {{"DstT", type}}});
        }
      }
      const Tensor wild =
          tensor<float>({9}, {NAN, INFINITY, -INFINITY, 3e9f, -3e9f, 300, -1.7f, 2.9f, -129.5f});
      for (const DType to : {DType::i8, DType::u8, DType::i16, DType::u16, DType::i32, DType::u32,
                             DType::i64, DType::boolean})
        cases.push_back({.op = "Cast", .in = {wild}, .attrs = {{"DstT", to}}});
      cases.push_back({.op = "Cast",
                       .in = {tensor<double>({4}, {NAN, 1e19, -1e19, 3e9})},
                       .attrs = {{"DstT", DType::i64}}});
      cases.push_back({.op = "Cast",
                       .in = {tensor<std::int64_t>({2}, {1099511627781, -1})},
                       .attrs = {{"DstT", DType::i32}}});
      cases.push_back({.op = "Cast",
                       .in = {tensor<std::int32_t>({2}, {300, -1})},
                       .attrs = {{"DstT", DType::u8}}});
      const Tensor precise = tensor<double>({5}, {65519, 1.0 / 3, 1e39, 1.01171875, 1e-8});
      for (const bool truncate : {false, true}) {
        for (const DType to : {DType::f16, DType::bf16, DType::f32})
          cases.push_back({.op = "Cast",
                           .in = {precise},
                           .attrs = {{"DstT", to}, {"Truncate", truncate}},
                           .rtol = 0});
        for (const DType to : {DType::f16, DType::bf16})
          cases.push_back({.op = "Cast",
                           .in = {tensor<float>({4}, {1.01171875f, 1.0f / 3, 65535, 1e-6f})},
                           .attrs = {{"DstT", to}, {"Truncate", truncate}},
                           .rtol = 0});
      }
      cases.push_back({.op = "Cast",
                       .in = {strings({1}, {"a"})},
                       .attrs = {{"DstT", DType::f32}},
                       .error = "Cast string to float is not supported"});
      for (const DType to : {DType::f64, DType::i32})
        cases.push_back(
            {.op = "_HostCast", .in = {random<float>({5}, 2, -9, 9)}, .attrs = {{"DstT", to}}});
      for (const DType type : {DType::f32, DType::boolean, DType::c64, DType::qi8})
        cases.push_back(
            {.op = "Cast", .in = {random(type, {9}, 3, 0, 100)}, .attrs = {{"DstT", type}}});
      return cases;
    }};

}  // namespace rill
