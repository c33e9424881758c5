#pragma once

#include <deque>

#include "rill/ops/data/core/made_walk.h"
#include "rill/ops/data/core/stage_work.h"

namespace rill {

// Datasets that a function makes of the elements of an input, several of them read ahead in the
// background, by turns. Workers fill the buffers of the branches, and may pull from the input so
// that `ahead` branches are always prepared. Who asks does what no worker has begun.
class BranchWork : public StageWork {
 public:
  struct Sizes {
    std::int64_t cycle, block, ahead;
    std::size_t buffer;  // elements per branch
    int workers;
    bool in_order;
    bool pulls_ahead;  // workers pull, too
  };
  BranchWork(PipelineRef pipeline, std::unique_ptr<DataIterator> input,
             const FunctionSource& function, const Sizes& sizes);

  virtual bool take(Element& element) = 0;
  bool would_wait() const { return true; }
  void save(StateWriter& state);
  void restore(const StateReader& state);

 protected:
  struct Branch {
    std::unique_ptr<MadeWalk> walk;
    std::deque<StageResult> buffer;
    bool busy = false;         // someone is in it
    bool ended = false;        // nothing comes after the buffer
    bool never_began = false;  // all there is is the error of making it
    bool is_over() const { return ended && buffer.empty(); }
  };
  using BranchRef = std::shared_ptr<Branch>;

  // With the lock held, which they let go meanwhile.
  // Pulls from the input and makes a branch of it; null at the end, which takes the input away.
  BranchRef pull(Lock& lock, bool into_prepared);
  void fill(Lock& lock, Branch& branch, std::size_t up_to);
  // Waits until the branch has something or has ended.
  void await(Lock& lock, const BranchRef& branch);
  StageResult pop(Lock& lock, Branch& branch);
  void wake_worker();

  bool has_work() const;
  const Sizes sizes_;
  const DataFunction function_;
  std::unique_ptr<DataIterator> input_;
  bool pulling_ = false;
  std::vector<BranchRef> cycle_;  // null: an empty place
  std::deque<BranchRef> prepared_;
  std::size_t turn_ = 0;
  std::int64_t in_block_ = 0;
  bool began_ = false;

 private:
  void work(Lock& lock) override;
  BranchRef needy() const;
  bool needs(const BranchRef& branch) const {
    return branch != nullptr && !branch->busy && !branch->ended &&
           branch->buffer.size() * 2 <= sizes_.buffer;
  }
  bool may_pull() const {
    return sizes_.pulls_ahead && input_ != nullptr && !pulling_ &&
           static_cast<std::int64_t>(prepared_.size()) < sizes_.ahead;
  }
  void save_branch(StateWriter& state, std::string_view key, const BranchRef& branch) const;
  BranchRef restored_branch(const StateReader& state, std::string_view key) const;
};

}  // namespace rill
