#pragma once

#include <functional>
#include <iterator>
#include <optional>
#include <string>

namespace rill::train {

struct CheckpointsIteratorOptions {
  double min_interval_secs = 0;           // between two checkpoints that it gives
  std::optional<double> timeout = {};     // seconds to wait for a new one; none: for ever
  std::function<bool()> timeout_fn = {};  // asked then; true ends the loop. None: it ends
};

// New checkpoints of a directory, as they come: each is given once, those that were replaced before
// anybody looked are left out.
//
//   for (const std::string& path : tf::train::checkpoints_iterator(dir, {.timeout = 60}))
//     evaluate(path);
class CheckpointsIterator {
 public:
  CheckpointsIterator(std::string checkpoint_dir, CheckpointsIteratorOptions options)
      : directory_(std::move(checkpoint_dir)), options_(std::move(options)) {}
  std::optional<std::string> next();  // nothing: the time is over

  class Iterator {
   public:
    explicit Iterator(CheckpointsIterator& of) : of_(&of) { ++*this; }
    const std::string& operator*() const { return *path_; }
    Iterator& operator++() {
      path_ = of_->next();
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return !path_.has_value(); }

   private:
    CheckpointsIterator* of_;
    std::optional<std::string> path_;
  };
  Iterator begin() { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  std::string directory_;
  CheckpointsIteratorOptions options_;
  std::optional<std::string> seen_;
  double given_ = 0;  // when, by the clock of the process, in seconds
};
inline CheckpointsIterator checkpoints_iterator(std::string checkpoint_dir,
                                                CheckpointsIteratorOptions options = {}) {
  return {std::move(checkpoint_dir), std::move(options)};
}

}  // namespace rill::train
