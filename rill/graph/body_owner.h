#pragma once

#include <memory>

namespace rill {

class FunctionBuilder;
class Graph;

// Who makes the body of a function, kept with the body.
struct BodyOwner {
  std::weak_ptr<Graph> self;
  FunctionBuilder* builder = nullptr;  // while it lives
};

}  // namespace rill
