#include "rill/cli/places.h"

#include <dlfcn.h>

#include "rill/base/error.h"

namespace rill::cli {

namespace fs = std::filesystem;

fs::path program_path() { return fs::read_symlink("/proc/self/exe"); }

fs::path library_path() {
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<const void*>(&code_name), &info) != 0;
  if (!found || info.dli_fname == nullptr) raise(Code::kInternal, "librill cannot be located");
  return fs::weakly_canonical(info.dli_fname);
}

std::optional<fs::path> checkout() {
  // bin/rill, or build/PRESET/bin/rill.
  fs::path folder = program_path().parent_path().parent_path();
  for (int up = 0; up < 3; ++up, folder = folder.parent_path())
    if (fs::exists(folder / "CMakeLists.txt") && fs::exists(folder / "rill" / "cli")) return folder;
  return std::nullopt;
}

fs::path fact_tables() {
  if (const auto root = checkout()) return *root / "tests" / "facts";
  const fs::path prefix = program_path().parent_path().parent_path();
  // Of an installation, of a wheel.
  for (const fs::path& folder : {prefix / "share" / "rill" / "facts", prefix / "facts"})
    if (fs::exists(folder)) return folder;
  raise(Code::kNotFound, "the tables of TensorFlow's ops are not below ", prefix.string());
}

}  // namespace rill::cli
