#include "rill/io/npz.h"

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/io/npy.h"
#include "rill/io/zip.h"

namespace rill {

std::map<std::string, Tensor> read_npz(const std::string& path) {
  const std::string all = read_file(path);
  const ZipFile file(all, path);
  std::map<std::string, Tensor> arrays;
  for (const ZipEntry& entry : file.entries()) {
    std::string name = entry.name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    try {
      arrays[name] = parse_npy(file.read(entry));
    } catch (const Error& error) {
      throw error.with_context(str_cat(path, ": ", name));
    }
  }
  return arrays;
}

}  // namespace rill
