#include "rill/ops/data/core/made_walk.h"

namespace rill {

MadeWalk::MadeWalk(const DataFunction& function, Element arguments, const PipelineRef& pipeline)
    : arguments_(std::move(arguments)) {
  Element given = arguments_, results;
  call_or_end(function, given, results, true);
  require(results.size() == 1 && results[0].dtype() == DType::variant && results[0].rank() == 0,
          "Function must return a single scalar of dtype DT_VARIANT.");
  iterator_ = dataset_in(results[0])->iterate(pipeline);
}

void MadeWalk::save(StateWriter& state) const {
  state.put("arguments", arguments_);
  state.put("walk", iterator_);
}

std::unique_ptr<MadeWalk> MadeWalk::restored(const DataFunction& function, const StateReader& state,
                                             const PipelineRef& pipeline) {
  auto walk = std::make_unique<MadeWalk>(function, state.element("arguments"), pipeline);
  state.restore("walk", *walk->iterator_);
  return walk;
}

}  // namespace rill
