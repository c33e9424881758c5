#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kFillCases{
    "fill", [] {
      using I = std::int32_t;
      return std::vector<OpCase>{
          {.op = "Fill", .in = {tensor<I>({2}, {2, 3}), scalar<float>(1.5)}},
          {.op = "Fill", .in = {tensor<I>({2}, {2, 0}), scalar<double>(1.5)}, .name = "empty"},
          {.op = "Fill", .in = {tensor<I>({0}, {}), scalar<half>(2)}, .name = "scalar"},
          {.op = "Fill", .in = {tensor<std::int64_t>({1}, {3}), strings({}, {"ab"})}},
          {.op = "Fill", .in = {tensor<I>({1}, {100}), scalar<bool>(true)}},
          {.op = "Fill", .in = {tensor<I>({1}, {5}), filled<std::complex<double>>({}, 3)}},
          {.op = "Fill", .in = {tensor<I>({2}, {300, 400}), scalar<float>(7)}, .name = "large"},
          {.op = "Fill",
           .in = {tensor<I>({2}, {2, -1}), scalar<float>(1)},
           .name = "negative",
           .error = "Dimension -1 must be >= 0"},
          {.op = "Fill",
           .in = {tensor<std::int64_t>({2}, {std::int64_t{1} << 40, std::int64_t{1} << 40}),
                  scalar<float>(1)},
           .name = "too_large",
           .error = "\\[1099511627776,1099511627776\\]"},
          {.op = "ZerosLike", .in = {sequence<float>({2, 3}, 1)}},
          {.op = "ZerosLike", .in = {strings({2}, {"a", "b"})}},
          {.op = "ZerosLike", .in = {sequence<std::complex<float>>({3}, 1)}},
          {.op = "OnesLike", .in = {sequence<float>({2, 3})}},
          {.op = "OnesLike", .in = {sequence<bfloat16>({3})}},
          {.op = "OnesLike", .in = {sequence<std::int64_t>({3})}},
          {.op = "OnesLike", .in = {sequence<std::uint16_t>({3})}},
          {.op = "OnesLike", .in = {sequence<std::complex<double>>({3})}},
          {.op = "OnesLike", .in = {tensor<bool>({2}, {false, true})}},
      };
    }};

}  // namespace rill
