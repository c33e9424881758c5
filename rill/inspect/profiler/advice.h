#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "rill/inspect/profiler/profiled_model.h"

namespace rill::profiler {

// What each checker says of a model: AcceleratorUtilizationChecker, ExpensiveOperationChecker,
// JobChecker, OperationChecker. An empty set of names asks all of them. Throws InvalidArgument for
// a name that no checker has.
using Advice = std::map<std::string, std::vector<std::string>>;
Advice advise(const ProfiledModel& model, const std::set<std::string>& checkers = {});
std::string advice_text(const Advice& advice);

}  // namespace rill::profiler
