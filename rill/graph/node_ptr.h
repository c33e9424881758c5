#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace rill {

class Node;

// Points to a node. Nodes of a graph live as long as the graph; those that an eager graph has
// executed live as long as someone points to them, for which this counts.
class NodePtr {
 public:
  NodePtr() = default;
  NodePtr(std::nullptr_t) {}
  NodePtr(Node* node);
  NodePtr(const NodePtr& other) : bits_(other.bits_) { hold(); }
  NodePtr(NodePtr&& other) noexcept : bits_(other.bits_) { other.bits_ = 0; }
  ~NodePtr() { let_go(); }
  NodePtr& operator=(const NodePtr& other) {
    other.hold();
    let_go();
    bits_ = other.bits_;
    return *this;
  }
  NodePtr& operator=(NodePtr&& other) noexcept {
    const std::uintptr_t bits = other.bits_;
    other.bits_ = 0;
    let_go();
    bits_ = bits;
    return *this;
  }

  Node* get() const { return reinterpret_cast<Node*>(bits_ & ~kCounted); }
  operator Node*() const { return get(); }
  Node* operator->() const { return get(); }
  Node& operator*() const { return *get(); }
  friend bool operator==(const NodePtr& a, const NodePtr& b) { return a.bits_ == b.bits_; }
  friend bool operator==(const NodePtr& a, const Node* b) { return a.get() == b; }
  friend bool operator==(const NodePtr& a, std::nullptr_t) { return a.bits_ == 0; }

 private:
  // The lowest bit, which no node's address has, says that the node is counted: whoever copies
  // pointers to nodes of a graph does not look at the node.
  static constexpr std::uintptr_t kCounted = 1;
  static void add_holder(Node& node);
  static void remove_holder(Node& node);
  void hold() const {
    if ((bits_ & kCounted) != 0) add_holder(*get());
  }
  void let_go() {
    if ((bits_ & kCounted) != 0) remove_holder(*get());
  }

  std::uintptr_t bits_ = 0;
};

}  // namespace rill
