#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace rill {
class RecordWriter;
}

namespace rill::serve {

struct LogFileOptions {
  std::int64_t max_waiting_bytes = 64 << 20;  // of records; more are lost
  std::int64_t max_file_bytes = 256 << 20;    // after which another file is begun
  std::int64_t max_file_seconds = 3600;
};

// Records in files "PREFIX-20261116T080000-1.tfrecord", written by a thread of its own: who adds
// one never waits for the disk. Safe from several threads at once.
class LogFile {
 public:
  explicit LogFile(std::string prefix, const LogFileOptions& options = {});
  ~LogFile();  // writes what waits

  bool add(std::string record);  // false: it is lost, since too many wait or files fail
  void flush();                  // waits until everything that was added is in a file

 private:
  void work();
  void write(std::deque<std::string> records);
  void begin_file();
  void close_file();

  const std::string prefix_;
  const LogFileOptions options_;
  std::unique_ptr<RecordWriter> writer_;  // of the thread, as what follows
  std::int64_t file_bytes_ = 0, file_begun_ = 0, file_count_ = 0;
  bool has_complained_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;  // guarded by mutex_, as what follows
  std::int64_t waiting_bytes_ = 0, added_ = 0, written_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace rill::serve
