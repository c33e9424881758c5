#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kMirrorPadCases{
    "mirror_pad", [] {
      using I = std::int32_t;
      std::vector<OpCase> cases;
      const Tensor paddings = tensor<I>({2, 2}, {1, 1, 2, 0});
      for (const char* mode : {"REFLECT", "SYMMETRIC"}) {
        const AttrMap attrs{{"mode", std::string(mode)}};
        for (const DType type : {DType::f32, DType::f64, DType::i32, DType::u8, DType::c64})
          cases.push_back(
              {.op = "MirrorPad", .in = {random(type, {2, 4}, 1, 0, 9), paddings}, .attrs = attrs});
        cases.push_back(
            {.op = "MirrorPad",
             .in = {random<double>({3, 2, 4}, 1), tensor<std::int64_t>({3, 2}, {2, 1, 0, 1, 1, 3})},
             .attrs = attrs});
        cases.push_back({.op = "MirrorPad",
                         .in = {strings({3}, {"a", "b", "c"}), tensor<I>({1, 2}, {2, 1})},
                         .attrs = attrs});
        cases.push_back({.op = "MirrorPad",
                         .in = {random<float>({2}, 1), tensor<I>({1, 2}, {3, 0})},
                         .attrs = attrs,
                         .error = "paddings must be (no greater|less) than the dimension size"});
        cases.push_back({.op = "MirrorPad",
                         .in = {random<float>({2}, 1), tensor<I>({1, 2}, {-1, 0})},
                         .attrs = attrs,
                         .error = "-1"});
        for (const DType type : {DType::f32, DType::f64})
          cases.push_back(
              {.op = "MirrorPadGrad", .in = {random(type, {4, 6}, 1), paddings}, .attrs = attrs});
        cases.push_back(
            {.op = "MirrorPadGrad",
             .in = {random<double>({6, 3, 8}, 1), tensor<I>({3, 2}, {2, 1, 0, 1, 1, 3})},
             .attrs = attrs});
      }
      return cases;
    }};

}  // namespace rill
