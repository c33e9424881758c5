#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rill/board/log/log_dirs.h"
#include "rill/board/log/run.h"

namespace rill::board {

// All runs below some directories, kept up to date by a thread of its own.
class LogStore {
 public:
  struct Options {
    std::vector<LogDirectory> directories;
    double reload_seconds = 0.25;  // between looks; large logs are looked at less often
    int threads = 0;               // that read; 0: one for each core
    bool follows = true;           // false: one look alone
  };
  explicit LogStore(Options options);
  ~LogStore();
  // Looks no more, and tells who waits for news; what was read stays.
  void stop();

  const std::vector<LogDirectory>& directories() const { return options_.directories; }

  // By name. What is not read yet is missing in them.
  using Runs = std::vector<std::shared_ptr<const Run>>;
  Runs runs() const;
  std::shared_ptr<const Run> run(std::string_view name) const;  // null when there is none

  // Counts up whenever something has changed.
  std::uint64_t version() const;
  // Calls `tell` once, from any thread, when the version is another than `known`, when this
  // store ends, or when half a minute has passed.
  void on_change(std::uint64_t known, std::function<void(std::uint64_t)> tell);
  // Whether everything that was there at the start has been read.
  bool is_loaded() const;
  void wait_until_loaded() const;

 private:
  void look();
  void read_runs(const std::vector<FoundRun>& found);
  void note_change();
  void tell_patient();  // those who have waited long enough
  void keep_looking(const std::stop_token& stop);

  const Options options_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::shared_ptr<const std::vector<std::shared_ptr<Run>>> runs_;  // sorted by name
  std::uint64_t version_ = 1;
  bool is_loaded_ = false, has_ended_ = false;
  std::atomic<bool> is_stopping_ = false;
  struct Waiting {
    std::int64_t until = 0;  // of monotonic_nanos()
    std::function<void(std::uint64_t)> tell;
  };
  std::vector<Waiting> waiting_;
  std::jthread thread_;  // the last: it uses the others
};

}  // namespace rill::board
