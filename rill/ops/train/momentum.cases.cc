#include "rill/ops/train/update_cases.h"

namespace rill {

extern const OpCases kMomentumCases{
    "momentum", [] {
      std::vector<OpCase> cases;
      add_update_cases(cases, {"Momentum", {0.1, 0.9}});
      add_update_cases(cases, {"Momentum", {0.1, 0.9}, {{"use_nesterov", true}}});
      add_update_cases(cases, {"KerasMomentum", {0.1, 0.9}});
      add_update_cases(cases, {"KerasMomentum", {0.1, 0.9}, {{"use_nesterov", true}}});
      return cases;
    }};

}  // namespace rill
