#pragma once

#include "rill/base/error.h"

namespace rill {

// A device that a library numbers.
class NumberedDevice {
 public:
  virtual ~NumberedDevice() = default;
  virtual int number() const = 0;
};

Code code_of(int code);  // of include/rill_device.h

}  // namespace rill
