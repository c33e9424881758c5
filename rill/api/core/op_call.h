#pragma once

#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// One node of the default graph under construction; what the generated builders are made of.
class OpCall {
 public:
  explicit OpCall(std::string_view op) : op_(op) {}

  OpCall& in(const Input& single);
  OpCall& in(const std::vector<Input>& list);
  OpCall& attr(std::string_view name, AttrValue value);

  // Makes the node in current_scope(); throws InvalidArgument when something does not fit.
  Node& add(const std::string& name, std::source_location at);

  // What an output argument stands for, once the node is made: `next` counts outputs already taken.
  static Output take(Node& node, int& next) { return node.output(next++); }
  static std::vector<Output> take_list(Node& node, std::size_t arg, int& next);

 private:
  std::string_view op_;
  std::vector<InputArg> inputs_;
  AttrMap attrs_;
};

std::vector<Output> all_outputs(Node& node);

}  // namespace rill
