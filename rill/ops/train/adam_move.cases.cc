#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kAdamMoveCases{
    "adam_move", [] {
      return std::vector<OpCase>{
          {.op = "_AdamMove",
           .in = {ref(random<float>({3, 4}, 1)), random<float>({3, 4}, 2),
                  random<float>({3, 4}, 3, 0, 1), scalar<float>(0.01), scalar<float>(1e-4)},
           .atol = 1e-6,
           .plain = R"(
            moved = Sub(in_0, Div(Mul(in_3, in_1), AddV2(Sqrt(in_2), in_4)))
            fetch moved, moved)"},
      };
    }};

}  // namespace rill
