#pragma once

#include <string_view>

namespace rill::board {

// A file of the page, which is part of the library (CMakeLists.txt makes it one).
struct WebFile {
  std::string_view path;  // "/index.html"
  std::string_view type;
  std::string_view bytes;
};
const WebFile* web_file(std::string_view path);  // null when there is none

}  // namespace rill::board
