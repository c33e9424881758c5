#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "rill/serve/metrics/metric.h"

namespace rill::serve {

// Lines at the end of a file, written by a thread of its own: who adds one never waits for the
// disk, and what 16 MiB of waiting lines cannot hold is lost. Safe from several threads at once.
class LineFile {
 public:
  // "-" is standard error. Throws what opening the file throws. Counts what is lost in `lost`, if
  // that is given, which must outlive this.
  explicit LineFile(std::string path, Counter* lost = nullptr);
  ~LineFile();  // writes what waits
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  void add(std::string line);  // without its end
  void flush();                // until everything that was added is written
  // Goes on in a file of the same name: the one before was moved away.
  void reopen();

 private:
  int open_file() const;
  void work();
  void write(const std::string& text);

  const std::string path_;
  Counter* const lost_;
  int file_ = -1;  // of the thread, once it runs
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;  // guarded by mutex_, as what follows
  std::int64_t added_ = 0, written_ = 0;
  bool is_over_ = false, wants_reopen_ = false;
  std::thread thread_;
};

}  // namespace rill::serve
