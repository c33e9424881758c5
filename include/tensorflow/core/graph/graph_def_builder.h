#ifndef TENSORFLOW_CORE_GRAPH_GRAPH_DEF_BUILDER_H_
#define TENSORFLOW_CORE_GRAPH_GRAPH_DEF_BUILDER_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/cc/framework/scope.h"

namespace tensorflow {

// What a node is made of; GraphDefBuilder::Options::FinalizeBuilder makes it.
class NodeBuilder {
 public:
  struct NodeOut {
    NodeOut(Node* n, int32 i = 0) : node(n), index(i) {}
    Node* node;
    int32 index;
  };

  NodeBuilder(StringPiece name, StringPiece op_name)
      : name_(name.ToString()), op_(op_name.ToString()) {}
  NodeBuilder& Input(Node* node, int index = 0) { return Input(NodeOut(node, index)); }
  NodeBuilder& Input(NodeOut source) { return inputs_.push_back(source), *this; }
  NodeBuilder& Input(gtl::ArraySlice<NodeOut> sources) {
    return inputs_.insert(inputs_.end(), sources.begin(), sources.end()), *this;
  }
  NodeBuilder& ControlInput(Node* node) { return controls_.push_back(node), *this; }
  NodeBuilder& Device(StringPiece device) { return device_ = device.ToString(), *this; }
  template <class T>
  NodeBuilder& Attr(StringPiece attr_name, const T& value) {
    return AddAttr(attr_name.ToString(), AsAttr(value)), *this;
  }

 private:
  friend class GraphDefBuilder;
  typedef std::function<void(internal::OpBuilder*)> Step;

  // The types that nodes keep.
  static int64 AsAttr(int32 value) { return value; }
  static string AsAttr(const char* value) { return value; }
  static string AsAttr(StringPiece value) { return value.ToString(); }
  static PartialTensorShape AsAttr(const TensorShape& value) { return PartialTensorShape(value); }
  template <class T>
  static std::vector<T> AsAttr(gtl::ArraySlice<T> value) {
    return std::vector<T>(value.begin(), value.end());
  }
  template <class T>
  static const T& AsAttr(const T& value) {
    return value;
  }
  template <class T>
  void AddAttr(const string& name, const T& value) {
    attrs_.push_back([name, value](internal::OpBuilder* node) { node->Attr(name.c_str(), value); });
  }

  string name_, op_, device_;
  std::vector<NodeOut> inputs_;
  std::vector<Node*> controls_;
  std::vector<Step> attrs_;
};

// Builds a GraphDef node by node. The nodes that it gives out live as long as it does.
class GraphDefBuilder {
 public:
  enum TestFailImmediatelyType { kFailImmediately };  // errors throw where they happen

  // What the next nodes have in common; each With... gives a changed copy.
  class Options {
   public:
    explicit Options(GraphDefBuilder* builder) : builder_(builder), common_("", "") {}
    Options WithName(StringPiece name) const {
      return Changed([&](Options* copy) { copy->common_.name_ = name.ToString(); });
    }
    Options WithDevice(StringPiece device) const {
      return Changed([&](Options* copy) { copy->common_.device_ = device.ToString(); });
    }
    Options WithControlInput(Node* control_input) const {
      return Changed([&](Options* copy) { copy->common_.ControlInput(control_input); });
    }
    Options WithControlInputs(gtl::ArraySlice<Node*> control_inputs) const {
      return Changed([&](Options* copy) {
        for (Node* node : control_inputs) copy->common_.ControlInput(node);
      });
    }
    template <class T>
    Options WithAttr(StringPiece attr_name, const T& value) const {
      return Changed([&](Options* copy) { copy->common_.Attr(attr_name, value); });
    }

    string GetNameForOp(StringPiece) const { return common_.name_; }
    bool HaveError() const { return !builder_->scope_.ok(); }
    Node* FinalizeBuilder(NodeBuilder* node) const { return builder_->Make(*node, common_); }

   private:
    template <class Change>
    Options Changed(Change change) const {
      Options copy(*this);
      change(&copy);
      return copy;
    }
    GraphDefBuilder* builder_;
    NodeBuilder common_;
  };

  GraphDefBuilder() : scope_(Scope::NewRootScope()) {}
  explicit GraphDefBuilder(TestFailImmediatelyType) : scope_(Scope::NewRootScope().ExitOnError()) {}
  Options opts() { return Options(this); }
  Status ToGraphDef(GraphDef* graph_def) const { return scope_.ToGraphDef(graph_def); }

 private:
  Node* Make(const NodeBuilder& node, const NodeBuilder& common) {
    Scope scope = node.name_.empty() ? scope_ : scope_.WithOpName(node.name_);
    const string& device = node.device_.empty() ? common.device_ : node.device_;
    if (!device.empty()) scope = scope.WithDevice(device);
    std::vector<Operation> controls;
    for (const std::vector<Node*>* list : {&node.controls_, &common.controls_})
      for (Node* control : *list) controls.push_back(Operation(control->get()));
    if (!controls.empty()) scope = scope.WithControlDependencies(controls);
    internal::OpBuilder made(scope, node.op_.c_str());
    for (const NodeBuilder::NodeOut& input : node.inputs_)
      made.In(Input(Output(input.node, input.index)));
    for (const std::vector<NodeBuilder::Step>* list : {&common.attrs_, &node.attrs_})
      for (const NodeBuilder::Step& set : *list) set(&made);
    const Operation operation = made.Finish();
    if (operation.node() == nullptr) return nullptr;
    nodes_.push_back(std::unique_ptr<Node>(new Node(operation.node()->get())));
    return nodes_.back().get();
  }

  Scope scope_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

namespace ops {

typedef NodeBuilder::NodeOut NodeOut;

inline Node* SourceOp(const string& op_name, const GraphDefBuilder::Options& opts) {
  NodeBuilder node(opts.GetNameForOp(op_name), op_name);
  return opts.HaveError() ? nullptr : opts.FinalizeBuilder(&node);
}
inline Node* UnaryOp(const string& op_name, NodeOut input, const GraphDefBuilder::Options& opts) {
  NodeBuilder node(opts.GetNameForOp(op_name), op_name);
  return opts.HaveError() ? nullptr : opts.FinalizeBuilder(&node.Input(input));
}
inline Node* BinaryOp(const string& op_name, NodeOut a, NodeOut b,
                      const GraphDefBuilder::Options& opts) {
  NodeBuilder node(opts.GetNameForOp(op_name), op_name);
  return opts.HaveError() ? nullptr : opts.FinalizeBuilder(&node.Input(a).Input(b));
}

}  // namespace ops
}  // namespace tensorflow

#endif
