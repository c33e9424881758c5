#pragma once

#include <map>
#include <string>
#include <vector>

#include "rill/api/variables/variable_creator.h"

namespace rill::distribute {

// The variables that the replicas of one call make: the first replica makes them, the others get
// them in the same order. Names are taken without the numbers that make them unique.
class SharedVariables {
 public:
  VariableCreator creator_of(int replica, const std::string& device);

 private:
  std::map<std::string, std::vector<Variable>> made_;
  std::map<std::pair<int, std::string>, std::size_t> taken_;
};

}  // namespace rill::distribute
