#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "rill/graph/op.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tests/script/literal.h"

namespace rill {

// An output of a node, or an argument of a function.
struct BodyValue {
  std::string node;
  int index = 0;
  DType dtype = DType::invalid;  // of a node that is written further down: not known yet
  bool is_ordered = true;        // false behind control flow
};
using BodyItem = std::variant<BodyValue, script::Literal>;
struct BodyArgument {
  bool is_list = false;
  std::vector<BodyItem> items;
};

// A call whose attributes are complete and whose literals have become tensors.
struct BodyCall {
  const Op* op = nullptr;
  std::vector<BodyArgument> arguments;
  AttrMap attrs;
  AttrMap from_values;  // those of `attrs` that literals alone determine
  std::vector<std::string> after;
};

// The nodes of a graph or of a function in the making.
class CaseBody {
 public:
  using Nodes = google::protobuf::RepeatedPtrField<tensorflow::NodeDef>;
  // In functions an input names the output as the op declares it: "node:output:0".
  CaseBody(Nodes* nodes, bool is_function) : nodes_(nodes), is_function_(is_function) {}

  void add_argument(const std::string& name, DType dtype) { arguments_[name] = dtype; }
  // Types and numbers that the arguments determine, and the kind of a dataset's elements.
  void complete(BodyCall& call) const;
  void declare(const std::string& name, const BodyCall& call);  // known, but not in the nodes
  void add(const std::string& name, const BodyCall& call);
  // Whether the call can wait for others: control flow cannot, nor what reads from it.
  static bool is_ordered(const BodyCall& call);
  // The dtype is invalid when there is no such node yet.
  BodyValue output(const std::string& node, int index) const;
  // As an input of another node.
  std::string reference(const BodyValue& value) const;
  std::string add_constant(const std::string& name, const Tensor& value);
  bool is_stateful() const { return is_stateful_; }

  // output_types and output_shapes of a dataset; strings where its op does not say.
  AttrMap element_kind(const std::string& dataset) const;

 private:
  struct Made {
    const Op* op;
    AttrMap attrs;
    bool is_ordered;
  };
  Nodes* nodes_;
  bool is_function_;
  bool is_stateful_ = false;
  std::map<std::string, Made> made_;
  std::map<std::string, DType> arguments_;
};

// The tensor that a literal is as item `k` of an argument.
Tensor literal_value(const script::Literal& literal, const Arg& arg, std::size_t k,
                     const AttrMap& attrs);

}  // namespace rill
