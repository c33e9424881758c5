#pragma once

#include "rill/ops/data/core/data_iterator.h"

namespace rill {

// Elements that are there already.
class ElementListDataset final : public Dataset {
 public:
  ElementListDataset(ElementSpec spec, std::vector<Element> elements)
      : Dataset(std::move(spec)), elements_(std::move(elements)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return static_cast<std::int64_t>(elements_.size()); }

 private:
  class Iterator final : public IteratorOf<ElementListDataset> {
   public:
    using IteratorOf::IteratorOf;
    bool produce(Element& element) override {
      if (at_ >= dataset().elements_.size()) return false;
      element = dataset().elements_[at_++];
      return true;
    }
    void save_stage(StateWriter& state) const override {
      state.put("at", static_cast<std::int64_t>(at_));
    }
    void restore_stage(const StateReader& state) override {
      at_ = static_cast<std::size_t>(state.integer("at"));
    }

   private:
    std::size_t at_ = 0;
  };
  const std::vector<Element> elements_;
};

}  // namespace rill
