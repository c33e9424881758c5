#include "rill/ops/train/update_cases.h"

namespace rill {

extern const OpCases kAdamCases{
    "adam", [] {
      std::vector<OpCase> cases;
      add_update_cases(cases, {"Adam", {0.9, 0.99, 0.01, 0.9, 0.99, 1e-4}});
      add_update_cases(cases,
                       {"Adam", {0.9, 0.99, 0.01, 0.9, 0.99, 1e-4}, {{"use_nesterov", true}}});
      add_update_cases(cases, {"AdamWithAmsgrad", {0.9, 0.99, 0.01, 0.9, 0.99, 1e-4}});
      add_update_cases(
          cases,
          {"AdaMax", {0.9, 0.01, 0.9, 0.99, 1e-4}, {}, DType::f16 | DType::f32 | DType::f64});
      return cases;
    }};

}  // namespace rill
