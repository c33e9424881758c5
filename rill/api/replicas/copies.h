#pragma once

#include "rill/api/replicas/strategy.h"

namespace rill::distribute {

// One variable with a copy on each of `devices`, called <name>, <name>/replica_1, ...: mirrored,
// which is changed for all replicas together, or, with ON_READ, one that each replica changes for
// itself and that is brought together when it is read. Throws InvalidArgument for NONE.
Variable make_copies(StrategyExtended& strategy, const std::vector<std::string>& devices,
                     const MakeVariable& next, const InitialValue& value,
                     const VariableOptions& options);

// A variable of one place that several replicas change: the changes come together first.
Variable make_aggregating(StrategyExtended& strategy, const MakeVariable& next,
                          const InitialValue& value, const VariableOptions& options);

// The values of the replicas as one for `var`, on each of its devices.
std::vector<Gradient> apply_aggregation(StrategyExtended& strategy,
                                        const std::vector<Gradient>& values,
                                        VariableAggregation aggregation, const Variable& var);

}  // namespace rill::distribute
