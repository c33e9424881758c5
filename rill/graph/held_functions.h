#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/graph/function.h"

namespace rill {

// What keeps a function in its library where no graph does: in eager execution the functions of
// input pipelines belong to those who may call them.
using FunctionHold = std::shared_ptr<const void>;

// The first hold of a function of that library. When the last one goes, so does the function, and
// then the holds of what it calls. The name must not be used again.
FunctionHold hold_function(std::shared_ptr<FunctionLibrary> library, const std::string& function,
                           std::vector<FunctionHold> called);
// One more hold; nullptr where the function stays with its library.
FunctionHold held_function(const std::string& function);
// Whether attributes name a function that goes with its holds.
bool name_held_functions(const AttrMap& attrs);

// Of the body of a function that is held: the holds of functions that nodes of the body call.
struct HoldsOfBody {
  bool are_wanted = false;
  std::vector<FunctionHold> all;
};

}  // namespace rill
