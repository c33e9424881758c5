#include "rill/ops/train/update_cases.h"

namespace rill {

extern const OpCases kFtrlCases{
    "ftrl", [] {
      std::vector<OpCase> cases;
      add_update_cases(cases, {"Ftrl", {0.1, 0.01, 0.02, -0.5}});
      add_update_cases(cases, {"Ftrl", {0.1, 0.01, 0.02, -0.3}});
      add_update_cases(cases, {"FtrlV2", {0.1, 0.01, 0.02, 0.05, -0.5}});
      return cases;
    }};

}  // namespace rill
