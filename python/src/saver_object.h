#pragma once

#include "rill/api/saver/eager_saver.h"

namespace rill::python {

// What Python's Saver holds.
struct SaverObject {
  std::shared_ptr<train::Saver> saver;
  train::Saver::RunStep eagerly = {};  // of one that was made in eager execution
};

}  // namespace rill::python
