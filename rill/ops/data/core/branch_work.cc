#include "rill/ops/data/core/branch_work.h"

#include <algorithm>

namespace rill {

BranchWork::BranchWork(PipelineRef pipeline, std::unique_ptr<DataIterator> input,
                       const FunctionSource& function, const Sizes& sizes)
    : StageWork(std::move(pipeline)),
      sizes_(sizes),
      function_(*pipeline_, function),
      input_(std::move(input)) {}

BranchWork::BranchRef BranchWork::pull(Lock& lock, bool into_prepared) {
  pulling_ = true;
  lock.unlock();
  StageResult arguments = next_result(*input_);
  lock.lock();
  pulling_ = false;
  std::unique_ptr<DataIterator> over;
  BranchRef branch;
  if (arguments.ended) {
    over = std::move(input_);
  } else {
    branch = std::make_shared<Branch>();
    branch->busy = true;
    if (into_prepared) prepared_.push_back(branch);
  }
  lock.unlock();
  over.reset();
  if (branch != nullptr) {
    StageResult made = std::move(arguments);
    std::unique_ptr<MadeWalk> walk;
    if (!made.error)
      made = result_of([&](Element&) {
        walk = std::make_unique<MadeWalk>(function_, std::move(made.element), pipeline_);
        return true;
      });
    lock.lock();
    branch->walk = std::move(walk);
    branch->busy = false;
    branch->ended = branch->never_began = made.error != nullptr;
    if (made.error) branch->buffer.push_back(std::move(made));
  } else {
    lock.lock();
  }
  changed_.notify_all();
  return branch;
}

void BranchWork::fill(Lock& lock, Branch& branch, std::size_t up_to) {
  branch.busy = true;
  std::unique_ptr<MadeWalk> over;
  while (!branch.ended && branch.buffer.size() < up_to && may_go_on()) {
    lock.unlock();
    StageResult result = result_of([&](Element& element) { return branch.walk->next(element); });
    lock.lock();
    branch.ended = result.ended;
    if (!result.ended) branch.buffer.push_back(std::move(result));
    if (branch.ended) over = std::move(branch.walk);
    changed_.notify_all();
  }
  branch.busy = false;
  changed_.notify_all();
  if (over == nullptr) return;
  lock.unlock();
  over.reset();
  lock.lock();
}

void BranchWork::await(Lock& lock, const BranchRef& branch) {
  while (branch->buffer.empty() && (branch->busy || !branch->ended)) {
    if (branch->busy) {
      wait(lock, [&] { return !branch->busy || !branch->buffer.empty(); });
    } else {
      pipeline_->check_running();
      fill(lock, *branch, 1);
    }
  }
}

StageResult BranchWork::pop(Lock& /*lock*/, Branch& branch) {
  StageResult result = std::move(branch.buffer.front());
  branch.buffer.pop_front();
  wake_worker();
  return result;
}

BranchWork::BranchRef BranchWork::needy() const {
  for (std::size_t i = 0; i < cycle_.size(); ++i) {
    const BranchRef& branch = cycle_[(turn_ + i) % cycle_.size()];
    if (needs(branch)) return branch;
  }
  const auto found =
      std::ranges::find_if(prepared_, [this](const BranchRef& branch) { return needs(branch); });
  return found == prepared_.end() ? nullptr : *found;
}

bool BranchWork::has_work() const { return may_pull() || needy() != nullptr; }

void BranchWork::wake_worker() {
  if (workers_ < sizes_.workers && has_work()) add_worker();
}

void BranchWork::work(Lock& lock) {
  while (may_go_on()) {
    if (const BranchRef branch = needy()) {
      branch->busy = true;
      wake_worker();
      fill(lock, *branch, sizes_.buffer);
    } else if (may_pull()) {
      pull(lock, true);
    } else {
      return;
    }
  }
}

void BranchWork::save_branch(StateWriter& state, std::string_view key,
                             const BranchRef& branch) const {
  StateWriter place = state.below(key);
  place.put("there", std::int64_t{branch != nullptr});
  if (branch == nullptr) return;
  place.put("ended", std::int64_t{branch->ended});
  place.put("never_began", std::int64_t{branch->never_began});
  place.put("buffered", static_cast<std::int64_t>(branch->buffer.size()));
  for (std::size_t i = 0; i < branch->buffer.size(); ++i)
    put_result(place, str_cat(i), branch->buffer[i]);
  if (branch->walk != nullptr) branch->walk->save(place);
}

BranchWork::BranchRef BranchWork::restored_branch(const StateReader& state,
                                                  std::string_view key) const {
  const StateReader place = state.below(key);
  if (place.integer("there") == 0) return nullptr;
  auto branch = std::make_shared<Branch>();
  branch->ended = place.integer("ended") != 0;
  branch->never_began = place.integer("never_began") != 0;
  const std::int64_t buffered = place.integer("buffered");
  for (std::int64_t i = 0; i < buffered; ++i)
    branch->buffer.push_back(result_in(place, str_cat(i)));
  if (!branch->ended) branch->walk = MadeWalk::restored(function_, place, pipeline_);
  return branch;
}

void BranchWork::save(StateWriter& state) {
  const Rest rest(*this);
  state.put("input", input_);
  state.put("turn", static_cast<std::int64_t>(turn_));
  state.put("in_block", in_block_);
  state.put("began", std::int64_t{began_});
  state.put("cycle", static_cast<std::int64_t>(cycle_.size()));
  state.put("prepared", static_cast<std::int64_t>(prepared_.size()));
  for (std::size_t i = 0; i < cycle_.size(); ++i) save_branch(state, str_cat("c", i), cycle_[i]);
  for (std::size_t i = 0; i < prepared_.size(); ++i)
    save_branch(state, str_cat("p", i), prepared_[i]);
}

void BranchWork::restore(const StateReader& state) {
  const Rest rest(*this);
  state.restore("input", input_);
  // The cycle grows as its places are first visited, so the turn may be at one that is not there.
  const std::int64_t places = state.integer("cycle", sizes_.cycle),
                     prepared = state.integer("prepared");
  turn_ = static_cast<std::size_t>(state.integer("turn", std::min(places, sizes_.cycle - 1)));
  in_block_ = state.integer("in_block", sizes_.block - 1);
  began_ = state.integer("began") != 0;
  cycle_.clear();
  prepared_.clear();
  for (std::int64_t i = 0; i < places; ++i)
    cycle_.push_back(restored_branch(state, str_cat("c", i)));
  for (std::int64_t i = 0; i < prepared; ++i)
    prepared_.push_back(restored_branch(state, str_cat("p", i)));
}

}  // namespace rill
