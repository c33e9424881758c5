#include "rill/ops/ctc/ctc_labels.h"

#include <algorithm>

#include "rill/ops/sparse/sparse_parts.h"

namespace rill {
namespace {

using Given = std::span<const std::int32_t>;

std::string text_of(Given labels) {
  std::vector<std::string> entries;
  for (const std::int32_t label : labels.first(std::min<std::size_t>(labels.size(), 100)))
    entries.push_back(std::to_string(label));
  return join(entries, ",");
}

// Classes from the blank on stand for "nothing more".
std::vector<std::int32_t> without_blanks(Given given, std::int64_t batch, std::int64_t class_count,
                                         bool collapse_repeated) {
  std::vector<std::int32_t> labels;
  bool is_over = false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (collapse_repeated && i > 0 && given[i] == given[i - 1]) continue;
    if (given[i] >= class_count - 1) {
      is_over = true;
      continue;
    }
    require(!is_over,
            "Saw a non-null label (index >= num_classes - 1) following a null label, batch: ",
            batch, " num_classes: ", class_count, " labels: ", text_of(given),
            " labels seen so far: ", text_of(labels));
    require(given[i] >= 0, "All labels must be nonnegative integers, batch: ", batch,
            " labels: ", text_of(given));
    labels.push_back(given[i]);
  }
  return labels;
}

}  // namespace

std::vector<CtcLabels> read_ctc_labels(const KernelCall& call, std::int64_t batch_size,
                                       std::int64_t class_count, bool collapse_repeated) {
  const Tensor &indices = call.input_tensor(1), &values = call.input_tensor(2);
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < indices.dim(0); ++i)
    longest = std::max(longest, indices.data<std::int64_t>()[2 * i + 1]);
  longest += longest < std::numeric_limits<std::int64_t>::max();
  const std::int64_t dense_shape[] = {batch_size, longest};
  check_ordered({indices, values, Dims(dense_shape)});
  std::vector<CtcLabels> all;
  const Given given = values.flat<std::int32_t>();
  std::size_t begin = 0;
  for (std::int64_t batch = 0; batch < batch_size; ++batch) {
    std::size_t end = begin;
    while (end < given.size() && indices.data<std::int64_t>()[2 * end] == batch) ++end;
    require(end > begin, "Labels length is zero in batch ", batch);
    const Given own = given.subspan(begin, end - begin);
    all.push_back({without_blanks(own, batch, class_count, collapse_repeated),
                   static_cast<std::int64_t>(own.size())});
    begin = end;
  }
  return all;
}

}  // namespace rill
