#include "rill/inspect/debugger/dump_place.h"

#include <cstdlib>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"

namespace rill::debugger {
namespace {

std::string new_directory() {
  const char* const given = std::getenv("TMPDIR");
  std::string path = join_path(given == nullptr ? "/tmp" : given, "tfdbg_XXXXXX");
  if (mkdtemp(path.data()) == nullptr)
    raise(Code::kUnavailable, "cannot make a directory for dumps at ", path);
  return path;
}

}  // namespace

DumpPlace::DumpPlace(std::string path) : path_(path.empty() ? new_directory() : std::move(path)) {}

DumpPlace::~DumpPlace() {
  try {
    if (file_exists(path_)) remove_tree(path_);
  } catch (const Error&) {
  }
}

}  // namespace rill::debugger
