#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kClipCases{
    "clip", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::f16, DType::f32, DType::f64, DType::i8, DType::i16,
                               DType::i32, DType::i64, DType::u8, DType::u16})
        cases.push_back(
            {.op = "ClipByValue",
             .in = {random(type, {3, 4}, 1, 0, 9), values(type, {}, {2}), values(type, {}, {6})}});
      cases.push_back(
          {.op = "ClipByValue",
           .in = {random<float>({3}, 1, 0, 9), tensor<float>({3}, {1, 2, 3}), scalar<float>(5)}});
      cases.push_back(
          {.op = "ClipByValue",
           .in = {random<float>({3}, 1), tensor<float>({2}, {1, 2}), scalar<float>(5)},
           .error = "clip_value_min and clip_value_max must be either of the same shape as input"});
      return cases;
    }};

}  // namespace rill
