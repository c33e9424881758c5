#include "rill/ops/train/update_cases.h"

namespace rill {

extern const OpCases kRmsPropCases{
    "rms_prop", [] {
      std::vector<OpCase> cases;
      add_update_cases(
          cases, {"RMSProp", {0.01, 0.9, 0.5, 1e-3}, {}, DType::f16 | DType::f32 | DType::f64});
      add_update_cases(
          cases,
          {"CenteredRMSProp", {0.01, 0.9, 0.5, 3}, {}, DType::f16 | DType::f32 | DType::f64});
      return cases;
    }};

}  // namespace rill
