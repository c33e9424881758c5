#include "rill/ops/data/core/data_iterator.h"

#include <string_view>

#include "rill/ops/data/core/stage_clock.h"

namespace rill {
namespace {

// Ends every error that has passed a stage; only the innermost one is told.
constexpr std::string_view kStageMark = " of the input pipeline";

Error told_where(const Error& error, const DatasetOrigin& origin, std::int64_t position) {
  if (error.message().find(kStageMark) != std::string::npos) return error;
  return error.with_context(str_cat("\n\t [[at element ", position, " of ", origin.op,
                                    origin.node.empty() ? "" : " ", origin.node, kStageMark, "]]"));
}

}  // namespace

bool DataIterator::next(Element& element) {
  pipeline_->check_running();
  const StageClock clock(*dataset_, &figure_);
  try {
    if (!produce(element)) {
      element.clear();
      return false;
    }
  } catch (const Error& error) {
    const std::int64_t position = position_++;
    if (error.code() == Code::kCancelled) throw;
    throw told_where(error, dataset_->origin(), position);
  }
  ++position_;
  return true;
}

std::int64_t DataIterator::skip(std::int64_t count) {
  Element element;
  std::int64_t skipped = 0;
  while (skipped < count && next(element)) ++skipped;
  return skipped;
}

void DataIterator::save(StateWriter& state) const {
  state.put("position", position_);
  save_stage(state);
}

void DataIterator::restore(const StateReader& state) {
  position_ = state.integer("position");
  restore_stage(state);
}

}  // namespace rill
