#include <algorithm>

#include "rill/api/describe/describe.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/base/text.h"
#include "rill/io/safetensors.h"
#include "rill/tensor/dtype.h"

namespace rill::describe {
namespace {

std::string one_tensor(const auto& reader, const std::string& name) {
  return str_cat("tensor_name:  ", name, "\n", print(reader.read(name)), "\n");
}

std::string list(const char* what, const std::map<std::string, StoredTensor>& tensors) {
  std::size_t width = 0;
  std::int64_t parameters = 0;
  for (const auto& [name, stored] : tensors) {
    width = std::max(width, name.size());
    parameters += stored.shape.element_count();
  }
  std::string text =
      str_cat(what, " of ", tensors.size(), " tensors with ", parameters, " elements\n");
  for (const auto& [name, stored] : tensors)
    text += str_cat("  ", name, std::string(width + 2 - name.size(), ' '), dtype_name(stored.dtype),
                    " ", to_text(stored.shape), "\n");
  return text;
}

}  // namespace

std::string checkpoint(const std::string& prefix, const Options& options) {
  const auto reader = train::load_checkpoint(prefix);
  if (!options.tensor.empty()) return one_tensor(*reader, options.tensor);
  return list("A checkpoint", reader->tensors());
}

std::string safetensors(const std::string& path, const Options& options) {
  const SafetensorsReader reader(path);
  if (!options.tensor.empty()) return one_tensor(reader, options.tensor);
  std::string text = list("A safetensors file", reader.tensors());
  for (const auto& [key, value] : reader.metadata()) text += str_cat("  ", key, ": ", value, "\n");
  return text;
}

}  // namespace rill::describe
