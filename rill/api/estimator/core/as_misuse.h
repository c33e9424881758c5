#pragma once

#include <typeinfo>

#include "rill/api/train/misuse.h"
#include "rill/base/error_classes.h"

namespace rill::estimator {

// Whether it is an Error, or the class of its code, and no class that says more.
inline bool is_plain(const Error& error) {
  if (typeid(error) == typeid(Error)) return true;
  try {
    throw_as_class(error);
  } catch (const Error& plain) {
    return typeid(error) == typeid(plain);
  }
}

// What goes wrong while a model is built is a mistake of the program, not of a step; exceptions of
// another language pass as they are.
template <class F>
decltype(auto) as_misuse(F&& build) {
  try {
    return std::forward<F>(build)();
  } catch (const Error& error) {
    if (!is_plain(error)) throw;
    throw train::Misuse(error.code(), error.message(), error.at());
  }
}

}  // namespace rill::estimator
