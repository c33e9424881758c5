#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kNextAfterCases{
    "next_after", [] {
      std::vector<OpCase> cases;
      // Exactly: one step to the side is all that the op does.
      for (const DType type : {DType::f32, DType::f64}) {
        cases.push_back({.op = "NextAfter",
                         .in = {random(type, {3, 5}, 1), random(type, {3, 5}, 2)},
                         .rtol = 0});
        cases.push_back(
            {.op = "NextAfter", .in = {random(type, {3, 1}, 3), random(type, {4}, 4)}, .rtol = 0});
        cases.push_back({.op = "NextAfter",
                         .in = {values(type, {6}, {1, 1, 0, 0, NAN, 1}),
                                values(type, {6}, {2, 1, -1, 1, 1, NAN})},
                         .rtol = 0,
                         .grad = false});
        cases.push_back({.op = "NextAfter",
                         .in = {values(type, {3}, {INFINITY, -INFINITY, 1}),
                                values(type, {3}, {0, INFINITY, INFINITY})},
                         .rtol = 0,
                         .grad = false});
      }
      cases.push_back({.op = "NextAfter", .in = {tensor<float>({0}, {}), scalar<float>(1)}});
      cases.push_back({.op = "NextAfter",
                       .in = {tensor<float>({2}, {1, 2}), tensor<float>({3}, {1, 2, 3})},
                       .error = "Dimensions must be equal, but are 2 and 3"});
      return cases;
    }};

}  // namespace rill
