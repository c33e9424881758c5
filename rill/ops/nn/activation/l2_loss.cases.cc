#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kL2LossCases{
    "l2_loss", [] {
      return std::vector<OpCase>{
          {.op = "L2Loss", .in = {random<float>({3, 5}, 1)}},
          {.op = "L2Loss", .in = {random<double>({3, 5}, 1)}},
          {.op = "L2Loss", .in = {random<half>({3, 5}, 1)}, .rtol = 5e-3},
          {.op = "L2Loss", .in = {tensor<float>({0}, {})}, .grad = false},
          {.op = "L2Loss", .in = {random<float>({100, 1000}, 1)}, .grad = false},
      };
    }};

}  // namespace rill
