#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kPrepackedBfloat16Cases{
    "prepacked_bfloat16", [] {
      std::vector<OpCase> rows;
      rows.push_back({.op = "_PrepackedMatMul",
                      .in = {random<bfloat16>({5, 16}, 1), random<bfloat16>({9, 16}, 2)},
                      .attrs = {{"transpose_b", true}},
                      .atol = 0.02,
                      .plain = "fetch MatMul(in_0, in_1, transpose_b=true)"});
      rows.push_back(
          {.op = "_PrepackedConv2D",
           .in = {random<bfloat16>({1, 5, 5, 3}, 1), random<bfloat16>({3, 3, 3, 4}, 2)},
           .attrs = {{"strides", std::vector<std::int64_t>{1, 1, 1, 1}}, {"padding", "VALID"}},
           .atol = 0.05,
           .plain = "fetch Conv2D(in_0, in_1, strides=[1 1 1 1], padding=\"VALID\")"});
      return rows;
    }};

}  // namespace rill
