#ifndef TENSORFLOW_CORE_LIB_IO_INPUTSTREAM_INTERFACE_H_
#define TENSORFLOW_CORE_LIB_IO_INPUTSTREAM_INTERFACE_H_

#include <string>

#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace io {

// Bytes in order.
class InputStreamInterface {
 public:
  virtual ~InputStreamInterface() {}
  // Replaces `result` by the next bytes. OutOfRange when fewer are left, which are then there.
  virtual Status ReadNBytes(int64 bytes_to_read, string* result) = 0;
  virtual Status SkipNBytes(int64 bytes_to_skip) {
    string skipped;
    return ReadNBytes(bytes_to_skip, &skipped);
  }
  virtual int64 Tell() const = 0;
  virtual Status Reset() = 0;  // to the beginning
};

}  // namespace io
}  // namespace tensorflow

#endif
