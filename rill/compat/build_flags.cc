#include "rill/compat/build_flags.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "rill/base/error.h"

namespace rill {
namespace {

namespace fs = std::filesystem;

fs::path library_path() {
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<const void*>(&code_name), &info) != 0;
  if (!found || info.dli_fname == nullptr) raise(Code::kInternal, "librill cannot be located");
  return fs::weakly_canonical(info.dli_fname);
}

bool has_headers(const fs::path& folder) {
  return fs::exists(folder / "tensorflow" / "core" / "framework" / "op_kernel.h");
}

// Eigen as the build found it, unless the headers lie beside ours.
void add_eigen(std::vector<std::string>& folders) {
  if (!fs::exists(fs::path(folders.front()) / "unsupported" / "Eigen"))
    folders.emplace_back(RILL_EIGEN_FOLDER);
}

}  // namespace

std::string library_folder() { return library_path().parent_path().string(); }

std::vector<std::string> include_folders() {
  const fs::path library = library_path().parent_path(), build = library.parent_path();
  std::vector<std::string> folders;
  for (const fs::path& folder : {library / "include", build / "include"})
    if (has_headers(folder)) folders.push_back(folder.string());
  if (folders.empty()) {  // a checkout: build/PRESET/lib
    const fs::path source = build.parent_path().parent_path();
    if (!has_headers(source / "include"))
      raise(Code::kNotFound, "the headers of ", library.string(), " are not installed");
    folders = {(source / "include").string(), source.string(),
               (build / "rill" / "proto" / "gen").string()};
  }
  add_eigen(folders);
  return folders;
}

std::vector<std::string> compile_flags() {
  std::vector<std::string> flags;
  for (const std::string& folder : include_folders()) flags.push_back("-I" + folder);
  flags.emplace_back("-D_GLIBCXX_USE_CXX11_ABI=1");
  const char* checked = std::getenv("RILL_CHECKED");
  if (checked != nullptr && std::string_view(checked) == "1") flags.emplace_back("-DRILL_CHECKED");
  return flags;
}

std::vector<std::string> link_flags() {
  const std::string folder = library_folder();
  return {"-L" + folder, "-lrill", "-Wl,-rpath," + folder, "-lprotobuf", "-pthread"};
}

}  // namespace rill
