#pragma once

#include <vector>

#include "rill/api/variables/get_variable.h"

namespace rill::layers {

// A weight of a layer: a variable, its parts, or the tensor that a custom getter put in its place.
// Used like a variable: converts to an Input, which reads it where it is used; parts are joined for
// that. Copies stand for the same variable.
class Weight {
 public:
  Weight() = default;  // none
  Weight(AnyVariable any) : any_(std::move(any)), is_there_(true) {}

  explicit operator bool() const { return is_there_; }
  operator Input() const;
  operator Variable() const { return variable(); }
  Variable variable() const;  // throws InvalidArgument unless it is a plain variable
  const AnyVariable& any() const { return any_; }
  std::vector<Variable> variables() const;  // itself, its parts, or none
  PartialShape shape() const;
  DType dtype() const;

 private:
  AnyVariable any_;
  bool is_there_ = false;
};

}  // namespace rill::layers
