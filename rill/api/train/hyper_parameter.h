#pragma once

#include <functional>
#include <optional>

#include "rill/api/train/parts.h"

namespace rill::train {

// What an optimizer is set up with: a number, a tensor, a variable, or a function that is asked for
// one of these whenever the optimizer builds an update.
class HyperParameter {
 public:
  template <class T>
  requires std::is_convertible_v<T, Input> HyperParameter(T&& value)
      : value_(Input(std::forward<T>(value))) {}
  HyperParameter(std::function<Input()> make) : make_(std::move(make)) {}

  // Calls the function each time; a plain value is always the same.
  Input value() const { return make_ ? make_() : *value_; }

 private:
  OptionalInput value_;
  std::function<Input()> make_;
};

// A hyper-parameter and the tensor that it is in the update under construction.
struct Hyper {
  Hyper(HyperParameter value, const char* node_name)
      : given(std::move(value)), node_name(node_name) {}

  // Makes the tensor in the current scope. To be called once for each update, before as().
  void prepare() { tensor = as_tensor(given.value(), node_name); }
  // Throws FailedPrecondition when the update was not prepared.
  Output as(DType dtype) const {
    if (!tensor.node) raise(Code::kFailedPrecondition, node_name, " is used before prepare()");
    return train::cast_in_block(tensor, dtype);
  }

  HyperParameter given;
  const char* node_name;
  Output tensor = {};
};

}  // namespace rill::train
