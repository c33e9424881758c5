#include "rill/ops/data/core/asserted_stages.h"

#include "rill/base/error.h"

namespace rill {
namespace {

// "Batch" of "BatchDatasetV2" and of "ExperimentalBatchDataset".
std::string stage_name(std::string_view op) {
  constexpr std::string_view kExperimental = "Experimental";
  if (op.starts_with(kExperimental)) op.remove_prefix(kExperimental.size());
  return std::string(op.substr(0, op.find("Dataset")));
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
  const std::string name = stage_name(origin.op);
  if (name == "AssertNext" && origin.inputs.size() == 2) check_order(origin.inputs[1], after);
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
