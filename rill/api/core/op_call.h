#pragma once

#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// One node of the default graph under construction; what the generated builders are made of. Inputs
// come in the order of the op's arguments. For one add().
//
//   Output y = OpCall("Cast").in(x).attr("DstT", DType::i32).add("as_int", at).output();
class OpCall {
 public:
  explicit OpCall(std::string_view op) : op_(op) {}

  // A single argument, and a list argument.
  OpCall& in(const Input& single);
  OpCall& in(const Inputs& list);
  OpCall& attr(std::string_view name, AttrValue value);

  // Makes the node in current_scope(), under the op's name where `name` is empty. Throws
  // InvalidArgument when inputs, types or attributes do not fit the op, NotFound when there is no
  // such op.
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
