#include <algorithm>

#include "rill/api/describe/describe.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/base/text.h"
#include "rill/tensor/dtype.h"

namespace rill::describe {

std::string checkpoint(const std::string& prefix, const Options& options) {
  const auto reader = train::load_checkpoint(prefix);
  if (!options.tensor.empty())
    return str_cat("tensor_name:  ", options.tensor, "\n", print(reader->read(options.tensor)),
                   "\n");
  std::size_t width = 0;
  std::int64_t parameters = 0;
  for (const auto& [name, stored] : reader->tensors()) {
    width = std::max(width, name.size());
    parameters += stored.shape.element_count();
  }
  std::string text = str_cat("A checkpoint of ", reader->tensors().size(), " tensors with ",
                             parameters, " elements\n");
  for (const auto& [name, stored] : reader->tensors())
    text += str_cat("  ", name, std::string(width + 2 - name.size(), ' '), dtype_name(stored.dtype),
                    " ", to_text(stored.shape), "\n");
  return text;
}

}  // namespace rill::describe
