#include "rill/base/file_system.h"

#include "rill/base/error.h"

namespace rill {

std::string_view scheme_of(std::string_view path) {
  const auto end = path.find("://");
  if (end == std::string_view::npos || end == 0) return {};
  for (const char c : path.substr(0, end)) {
    const bool ordinary = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!ordinary) return {};
  }
  return path.substr(0, end);
}

FileSystem& file_system_of(std::string_view path) {
  const std::string_view scheme = scheme_of(path);
  if (scheme.empty() || scheme == "file") return local_files();
  if (scheme == "ram") return ram_files();
  if (scheme == "http" || scheme == "https") return http_files();
  raise(Code::kUnimplemented, "File system scheme '", scheme, "' not implemented (file: '", path,
        "')");
}

}  // namespace rill
