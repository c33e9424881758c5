#include "rill/ops/data/files/shard_dataset.h"

namespace rill {

class ShardDataset::Iterator final : public UnaryIterator<ShardDataset> {
 public:
  using UnaryIterator::UnaryIterator;
  bool produce(Element& element) override {
    Element other;
    while (true) {
      const bool mine = at_ % dataset().shard_count_ == dataset().index_;
      if (!pull(mine ? element : other)) return false;
      ++at_;
      if (mine) break;
    }
    if (dataset().require_non_empty_ && at_ <= dataset().shard_count_) check_the_others();
    return true;
  }
  void save_stage(StateWriter& state) const override {
    UnaryIterator::save_stage(state);
    state.put("at", at_);
  }
  void restore_stage(const StateReader& state) override {
    UnaryIterator::restore_stage(state);
    at_ = state.integer("at");
  }

 private:
  // Goes on until every shard has got an element.
  void check_the_others() {
    Element other;
    for (; at_ < dataset().shard_count_; ++at_)
      require(pull(other),
              "There aren't enough elements in this dataset for each shard to have at least one "
              "element (# elems = ",
              at_, ", # shards = ", dataset().shard_count_,
              "). If you are using datasets with distribution strategy, considering turning off "
              "dataset autosharding with `experimental_distribute.auto_shard`.");
  }

  std::int64_t at_ = 0;  // of the input
};

std::unique_ptr<DataIterator> ShardDataset::iterate(const PipelineRef& pipeline) const {
  return std::make_unique<Iterator>(*this, pipeline);
}

std::int64_t ShardDataset::size() const {
  const std::int64_t all = input()->size();
  return all < 0 ? all : all / shard_count_ + (index_ < all % shard_count_ ? 1 : 0);
}

}  // namespace rill
