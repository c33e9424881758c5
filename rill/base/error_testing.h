#pragma once

// For tests alone.
#include <utility>

#include "rill/base/error.h"

namespace rill {

// What `call` throws; an Error of code kOk when it throws nothing.
template <class F>
Error thrown_by(F&& call) {
  try {
    std::forward<F>(call)();
  } catch (const Error& error) {
    return error;
  }
  return Error(Code::kOk, "no error was thrown");
}

}  // namespace rill
