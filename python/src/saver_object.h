#pragma once

#include "rill/api/saver/saver.h"

namespace rill::python {

// What Python's Saver holds.
struct SaverObject {
  std::shared_ptr<train::Saver> saver;
};

}  // namespace rill::python
