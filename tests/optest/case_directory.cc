#include "tests/optest/case_directory.h"

#include <stdlib.h>

#include "rill/base/error.h"
#include "rill/base/files.h"

namespace rill {
namespace {

constexpr const char* kWritten = "$TMP";
std::string& directory() {
  static std::string path = kWritten;
  return path;
}

}  // namespace

CaseDirectory::CaseDirectory() {
  const char* base = std::getenv("TMPDIR");
  std::string path = join_path(base != nullptr ? base : "/tmp", "rill_optest_XXXXXX");
  require(::mkdtemp(path.data()) != nullptr, "cannot make a directory like ", path);
  directory() = path;
}

CaseDirectory::~CaseDirectory() {
  remove_tree(directory());
  directory() = kWritten;
}

const std::string& case_directory() { return directory(); }

void empty_case_directory() {
  remove_tree(directory());
  make_directories(directory());
}

std::string without_case_directory(const std::string& text) {
  std::string result = text;
  for (std::size_t at = 0; (at = result.find(directory(), at)) != std::string::npos;)
    result.replace(at, directory().size(), kWritten);
  return result;
}

Tensor without_case_directory(const Tensor& value) {
  if (value.dtype() != DType::string) return value;
  Tensor result = value.clone();
  for (std::string& item : result.flat<std::string>()) item = without_case_directory(item);
  return result;
}

}  // namespace rill
