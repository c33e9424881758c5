#pragma once

#include <memory>

namespace rill {

// A message whose header need not be known where the box stands, so that structs of public headers
// can hold one. Empty at first: it then reads as a message in which nothing is set. Copies share
// the message, which nobody changes; another one is assigned.
//
//   BoxedMessage<tensorflow::GraphDef> graph;   // with the forward declaration alone
//   graph = read_graph_def(path);               // this and the next line need the header
//   graph->node_size();
template <class T>
class BoxedMessage {
 public:
  BoxedMessage() = default;
  BoxedMessage(const T& message) : held_(std::make_shared<const T>(message)) {}

  bool has_value() const { return held_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const {
    return held_ ? *static_cast<const T*>(held_.get()) : T::default_instance();
  }
  const T* operator->() const { return &**this; }
  operator const T&() const { return **this; }

 private:
  std::shared_ptr<const void> held_;
};

}  // namespace rill
