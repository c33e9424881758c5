#include "tests/simulation/ledger.h"

#include "rill/base/error.h"

namespace rill {

std::string Ledger::check(const std::set<std::string>& servers) const {
  for (const auto& [part, times] : applied_)
    if (times > 1)
      return str_cat("run ", part.first, " was applied ", times, " times on ", part.second);
  for (const std::int64_t run : succeeded_)
    for (const std::string& server : servers)
      if (!applied_.contains({run, server}))
        return str_cat("run ", run, " succeeded, and was not applied on ", server);
  return {};
}

}  // namespace rill
