#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kArgMaxCases{
    "arg_max", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"ArgMax", "ArgMin"}) {
        for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8,
                                 DType::i16, DType::i32, DType::i64, DType::u8, DType::u16})
          cases.push_back(
              {.op = op, .in = {random(type, {3, 4}, 1, 0, 9), scalar<std::int32_t>(1)}});
        for (const int axis : {0, 1, 2, -1})
          cases.push_back(
              {.op = op, .in = {random<float>({2, 3, 4}, 2), scalar<std::int32_t>(axis)}});
        cases.push_back({.op = op,
                         .in = {random<float>({2, 3, 4}, 2), scalar<std::int64_t>(1)},
                         .attrs = {{"output_type", DType::i32}}});
        cases.push_back(
            {.op = op, .in = {values(DType::f32, {4}, {2, 2, 1, 1}), scalar<std::int32_t>(0)}});
        cases.push_back({.op = op, .in = {tensor<float>({0, 2}, {}), scalar<std::int32_t>(1)}});
        cases.push_back({.op = op,
                         .in = {tensor<float>({2, 0}, {}), scalar<std::int32_t>(1)},
                         .error = "Reduction axis 1 is empty in shape \\[2,0\\]"});
        cases.push_back({.op = op,
                         .in = {random<float>({2}, 1), scalar<std::int32_t>(1)},
                         .error = "Expected dimension in the range \\[-1, 1\\), but got 1"});
      }
      return cases;
    }};

}  // namespace rill
