#include "rill/api/core/op_call.h"

#include "rill/api/core/default_graph.h"

namespace rill {

OpCall& OpCall::in(const Input& single) {
  inputs_.emplace_back(single);
  return *this;
}

OpCall& OpCall::in(const Inputs& list) {
  inputs_.emplace_back(list);
  return *this;
}

OpCall& OpCall::attr(std::string_view name, AttrValue value) {
  attrs_.emplace(name, std::move(value));
  return *this;
}

Node& OpCall::add(const std::string& name, std::source_location at) {
  Scope scope = here(at);
  return scope.add(op_, std::move(inputs_), std::move(attrs_), name);
}

std::vector<Output> OpCall::take_list(Node& node, std::size_t arg, int& next) {
  std::vector<Output> outputs;
  for (std::size_t n = arg_types(node.op().outputs.at(arg), node.attrs()).size(); n > 0; --n)
    outputs.push_back(node.output(next++));
  return outputs;
}

std::vector<Output> all_outputs(Node& node) {
  std::vector<Output> outputs;
  for (int i = 0; i < node.output_count(); ++i) outputs.push_back(node.output(i));
  return outputs;
}

}  // namespace rill
