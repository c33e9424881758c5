#pragma once

#include <typeinfo>

#include "rill/api/train/misuse.h"

namespace rill::estimator {

// What goes wrong while a model is built is a mistake of the program, not of a step; exceptions of
// another language pass as they are.
template <class F>
decltype(auto) as_misuse(F&& build) {
  try {
    return std::forward<F>(build)();
  } catch (const Error& error) {
    if (typeid(error) != typeid(Error)) throw;
    throw train::Misuse(error.code(), error.message(), error.at());
  }
}

}  // namespace rill::estimator
