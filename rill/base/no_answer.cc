#include "rill/base/no_answer.h"

#include "rill/base/file_system.h"

namespace rill {

bool is_no_answer(const Error& error, const std::string& path) {
  FileSystem& files = file_system_of(path);
  if (&files == &local_files() || &files == &ram_files() || &files == &http_files()) return false;
  switch (error.code()) {
    case Code::kUnavailable:
    case Code::kDeadlineExceeded:
    case Code::kUnauthenticated:
    case Code::kPermissionDenied:
    case Code::kCancelled:
      return true;
    default:
      return false;
  }
}

}  // namespace rill
