#pragma once

#include "rill/ops/data/core/dataset.h"
#include "rill/ops/queue/waiter.h"

namespace rill {

// What a step's request for an element got; `ended`: there was none left.
using Deliver = void (*)(KernelCall& call, Element& element, bool ended);

// What came of asking a walk for its next element.
struct NextElement {
  Element element;
  bool ended = false;
  std::exception_ptr error;
};

// A step that waits for an element of an iterator.
class ElementRequest final : public Waiter {
 public:
  ElementRequest(KernelCall& call, Done done, Deliver give)
      : Waiter(call, std::move(done)), give_(give) {}
  const char* cancelled_text() const override { return "Cancelled while waiting for an element"; }
  bool is_input() const override { return true; }
  void take(NextElement result) {
    element_ = std::move(result.element);
    ended_ = result.ended;
  }

 private:
  void deliver(KernelCall& call) override { give_(call, element_, ended_); }
  const Deliver give_;
  Element element_;
  bool ended_ = false;
};

}  // namespace rill
