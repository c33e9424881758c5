#pragma once

// For tests alone: a directory that goes away again, and the code of what is thrown.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "rill/base/error.h"
#include "rill/base/files.h"

namespace rill {

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string path = testing::TempDir() + "rill_XXXXXX";
    path_ = ::mkdtemp(path.data());
  }
  ~ScratchDirectory() { remove_tree(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  std::string operator/(std::string_view name) const { return join_path(path_, name); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// "NotFound: ..." of what `call` throws, "" when it throws nothing.
template <class F>
std::string error_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace rill
