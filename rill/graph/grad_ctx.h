#pragma once

#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// Rows of a tensor: `values[i]` belongs to row `indices[i]`. `dense_shape` may be absent.
struct IndexedSlices {
  Output values, indices, dense_shape;
};

// What flows backwards along an edge: nothing, a tensor, or some rows of one.
class Gradient {
 public:
  Gradient() = default;
  Gradient(Output dense) : value_(dense) {}
  Gradient(Node& node) : value_(node.output(0)) {}
  Gradient(IndexedSlices slices) : value_(slices) {}

  bool empty() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_slices() const { return std::holds_alternative<IndexedSlices>(value_); }
  // Throw FailedPrecondition where it is none of that kind.
  Output dense() const {
    if (const auto* tensor = std::get_if<Output>(&value_)) return *tensor;
    raise(Code::kFailedPrecondition,
          empty() ? "the gradient is empty: nothing depends on this tensor"
                  : "the gradient is rows (IndexedSlices), not one tensor: ask "
                    "slices()");
  }
  const IndexedSlices& slices() const {
    if (const auto* rows = std::get_if<IndexedSlices>(&value_)) return *rows;
    raise(Code::kFailedPrecondition,
          empty() ? "the gradient is empty: nothing depends on this tensor"
                  : "the gradient is a tensor, not rows (IndexedSlices): ask dense()");
  }

 private:
  std::variant<std::monostate, Output, IndexedSlices> value_;
};

// What a gradient function sees: the node, the gradients that arrive at its outputs, and where to
// build. It sets the gradient of each input that has one; an input that is not set gets none.
//
//   void square_grad(GradCtx& g) {
//     g.set(0, g.add("Mul", {g.dy(), g.add("Mul", {2.0f, g.input(0)})}));
//   }
class GradCtx {
 public:
  GradCtx(Scope scope, Node& node, std::vector<Gradient> arriving)
      : scope_(std::move(scope)),
        node_(node),
        arriving_(std::move(arriving)),
        leaving_(static_cast<std::size_t>(node.input_count())) {}

  Scope& scope() { return scope_; }  // named after the node, "<node>_grad"
  Node& node() const { return node_; }
  Output input(int i) const { return node_.input(i); }
  Output output(int i = 0) const { return node_.output(i); }
  int input_count() const { return node_.input_count(); }
  template <class T>
  const T& attr(std::string_view name) const {
    return node_.attr<T>(name);
  }

  // The gradient at output i as a tensor; rows are spread out. Never empty for outputs of
  // differentiable types: where nothing arrives, zeros do.
  Output dy(int i = 0);
  // As it came, perhaps empty or rows; for gradients that can do without spreading them out.
  const Gradient& arriving(int i) const { return arriving_.at(static_cast<std::size_t>(i)); }

  // What is made from here on waits for the first gradient, so that intermediate values of the
  // forward pass are not recomputed long before they are needed.
  void after_dy() {
    Node* const before = dy().node;
    scope_ = scope_.with_control({&before, 1});
  }

  void set(int input, Gradient gradient) {
    leaving_.at(static_cast<std::size_t>(input)) = std::move(gradient);
  }
  const Gradient& leaving(int i) const { return leaving_.at(static_cast<std::size_t>(i)); }
  std::vector<Gradient> take() { return std::move(leaving_); }

  // A node inside the gradient's scope; its first output.
  template <class OpName>
  Output add(const OpName& op, std::vector<InputArg> inputs, AttrMap attrs = {},
             std::string_view name = {}) {
    return scope_.add(op, std::move(inputs), std::move(attrs), name).output(0);
  }

 private:
  Scope scope_;
  Node& node_;
  std::vector<Gradient> arriving_, leaving_;
};

// The rows of `slices` in a tensor of their dense shape; rows named twice are added up.
Output densify(Scope& scope, const IndexedSlices& slices, std::string_view name = {});

}  // namespace rill
