#include "rill/ops/data/core/asserted_stages.h"

#include "rill/base/error.h"

namespace rill {
namespace {

// "Batch" of "BatchDatasetV2" and of "ExperimentalBatchDataset".
std::string_view plain_name(std::string_view op) {
  constexpr std::string_view kExperimental = "Experimental";
  if (op.starts_with(kExperimental)) op.remove_prefix(kExperimental.size());
  return op.substr(0, op.find("Dataset"));
}

// As TensorFlow names iterators: what they do with their count is part of some names.
std::string stage_name(const DatasetOrigin& origin) {
  const std::string_view name = plain_name(origin.op);
  if (name != "Take" && name != "Skip" && name != "Repeat") return std::string(name);
  const auto count = origin.inputs.at(1).scalar_value<std::int64_t>();
  if (name == "Repeat" && count < 0) return "ForeverRepeat";
  const bool is_empty = name == "Skip" ? count < 0 : count == 0;
  return str_cat(is_empty ? "Empty" : "Finite", name);
}

// `after`: the stages that follow, the nearest one last.
void check_order(const Tensor& wanted, const std::vector<std::string>& after) {
  const std::span<const std::string> names = wanted.flat<std::string>();
  require(names.size() <= after.size(), "Asserted next ", names.size(),
          " transformations but encountered only ", after.size(), ".");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& found = after[after.size() - 1 - i];
    require(names[i] == found, "Asserted transformation matching ", names[i], " at offset ", i,
            " but encountered ", found, " transformation instead.");
  }
}

void check_from(const Dataset& dataset, std::vector<std::string>& after) {
  const DatasetOrigin& origin = dataset.origin();
  const std::string name = stage_name(origin);
  if (name == "AssertNext" && origin.inputs.size() == 2) check_order(origin.inputs[1], after);
  if (name.starts_with("Empty")) return;  // nothing iterates over what is in front of it
  after.push_back(name);
  for (const Tensor& input : origin.inputs)
    if (holds_dataset(input)) check_from(*dataset_in(input), after);
  after.pop_back();
}

}  // namespace

void check_asserted_stages(const DatasetRef& root) {
  std::vector<std::string> after;
  check_from(*root, after);
}

}  // namespace rill
