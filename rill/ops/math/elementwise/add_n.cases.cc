#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kAddNCases{
    "add_n", [] {
      std::vector<OpCase> cases;
      for (const DType type :
           {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
            DType::i64, DType::u8, DType::u16, DType::c64, DType::c128})
        cases.push_back({.op = "AddN",
                         .in = {list({random(type, {2, 3}, 1, 0, 9), random(type, {2, 3}, 2, 0, 9),
                                      random(type, {2, 3}, 3, 0, 9)})}});
      cases.push_back({.op = "AddN", .in = {list({random<float>({4}, 1)})}});
      cases.push_back(
          {.op = "AddN", .in = {list({random<float>({3000}, 1), random<float>({3000}, 2)})}});
      cases.push_back(
          {.op = "AddN", .in = {list({tensor<float>({0}, {}), tensor<float>({0}, {})})}});
      for (const DType type : {DType::f32, DType::f64, DType::i32})
        cases.push_back({.op = "AccumulateNV2",
                         .in = {list({random(type, {2, 3}, 1, 0, 9), random(type, {2, 3}, 2, 0, 9),
                                      random(type, {2, 3}, 3, 0, 9)})},
                         .attrs = {{"shape", PartialShape{2, 3}}}});
      return cases;
    }};

}  // namespace rill
