#include "rill/ops/train/update_cases.h"

namespace rill {

extern const OpCases kSignCases{"sign", [] {
                                  std::vector<OpCase> cases;
                                  add_update_cases(cases, {"AddSign", {0.1, 1, 0.9, 0.8}});
                                  add_update_cases(cases, {"PowerSign", {0.1, 0.7, 0.9, 0.8}});
                                  return cases;
                                }};

}  // namespace rill
