#include "rill/ops/train/update_cases.h"

namespace rill {

extern const OpCases kAdagradCases{
    "adagrad", [] {
      std::vector<OpCase> cases;
      add_update_cases(cases, {"Adagrad", {0.1}});
      add_update_cases(cases, {"Adagrad", {0.1}, {{"update_slots", false}}});
      add_update_cases(cases, {"AdagradV2", {0.1, 1e-3}});
      add_update_cases(cases, {"AdagradDA", {0.1, 0.01, 0.02, 3}, {}, DType::f32 | DType::f64});
      add_update_cases(cases, {"AdagradDA", {0.1, 0, 0.02, 3}, {}, DType::f32 | DType::f64});
      add_update_cases(cases, {"ProximalAdagrad", {0.1, 0.01, 0.02}, {}, DType::f32 | DType::f64});
      add_update_cases(cases, {"ProximalAdagrad", {0.1, 0, 0.02}, {}, DType::f32 | DType::f64});
      return cases;
    }};

}  // namespace rill
