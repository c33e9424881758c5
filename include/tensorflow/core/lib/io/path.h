#ifndef TENSORFLOW_CORE_LIB_IO_PATH_H_
#define TENSORFLOW_CORE_LIB_IO_PATH_H_

#include <initializer_list>
#include <string>

#include "tensorflow/core/lib/core/stringpiece.h"

namespace tensorflow {
namespace io {
namespace internal {
std::string JoinPathImpl(std::initializer_list<StringPiece> paths);
}

template <typename... T>
std::string JoinPath(const T&... args) {
  return internal::JoinPathImpl({StringPiece(args)...});
}
bool IsAbsolutePath(StringPiece path);
StringPiece Dirname(StringPiece path);
StringPiece Basename(StringPiece path);
StringPiece Extension(StringPiece path);  // "txt", without the dot
// The path of a new file, which is there and empty, that ends so.
std::string GetTempFilename(const std::string& extension);

}  // namespace io
}  // namespace tensorflow

#endif
