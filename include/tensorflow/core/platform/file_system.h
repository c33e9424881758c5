#ifndef TENSORFLOW_CORE_PLATFORM_FILE_SYSTEM_H_
#define TENSORFLOW_CORE_PLATFORM_FILE_SYSTEM_H_

#include <memory>
#include <string>
#include <vector>

#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {

class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() {}
  // Reads up to n bytes into scratch; OutOfRange when fewer are left.
  virtual Status Read(uint64 offset, size_t n, StringPiece* result, char* scratch) const = 0;
};

class WritableFile {
 public:
  virtual ~WritableFile() {}
  virtual Status Append(StringPiece data) = 0;
  virtual Status Close() = 0;
  virtual Status Flush() = 0;
  virtual Status Sync() = 0;
};

struct FileStatistics {
  FileStatistics() : length(-1), mtime_nsec(0), is_directory(false) {}
  int64 length, mtime_nsec;
  bool is_directory;
};

}  // namespace tensorflow

#endif
