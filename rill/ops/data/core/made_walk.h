#pragma once

#include "rill/ops/data/core/data_iterator.h"

namespace rill {

// A walk through a dataset that a function made of some arguments, which are kept so that a
// restored iterator can have it made again.
class MadeWalk {
 public:
  // Throws what the function throws, and InvalidArgument where it does not give a dataset.
  MadeWalk(const DataFunction& function, Element arguments, const PipelineRef& pipeline);

  bool next(Element& element) { return iterator_->next(element); }
  bool would_wait() const { return iterator_->would_wait(); }

  void save(StateWriter& state) const;
  static std::unique_ptr<MadeWalk> restored(const DataFunction& function, const StateReader& state,
                                            const PipelineRef& pipeline);

 private:
  Element arguments_;
  std::unique_ptr<DataIterator> iterator_;
};

}  // namespace rill
