#pragma once

#include <memory>
#include <optional>
#include <span>

#include "rill/kernel/function_caller.h"
#include "rill/kernel/has_body.h"

namespace rill {

// A loop of a few operations on numbers, and on elements of vectors that stay as they are, as a
// short program of its own: an iteration takes some ten nanoseconds, where calls of two functions
// take a hundred times that. It computes what the nodes would, to the bit.
class ScalarLoop {
 public:
  ~ScalarLoop();
  // nullptr where the functions do other things.
  static std::unique_ptr<ScalarLoop> make(const FunctionBody& test, const FunctionBody& body);

  // Goes on for at most `most` iterations, with the variables as they are then; whether the loop
  // has ended. Nothing, and the variables as before, where values do not suit: not numbers, a
  // division by zero, an index out of range.
  std::optional<bool> run(std::span<Tensor> variables, std::int64_t most) const;

 private:
  struct Code;
  explicit ScalarLoop(std::unique_ptr<Code> code);
  std::unique_ptr<Code> code_;
};

}  // namespace rill
