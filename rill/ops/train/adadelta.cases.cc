#include "rill/ops/train/update_cases.h"

namespace rill {

extern const OpCases kAdadeltaCases{"adadelta", [] {
                                      std::vector<OpCase> cases;
                                      add_update_cases(cases, {"Adadelta", {0.5, 0.9, 1e-3}});
                                      return cases;
                                    }};

}  // namespace rill
