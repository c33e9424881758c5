#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rill/board/log/columns.h"
#include "rill/board/log/event_facts.h"

namespace rill::board {

// Something large, by its place in a file of the run: its bytes are read when somebody looks.
struct StoredValue {
  std::int64_t step = 0;
  double wall_time = 0;
  std::uint64_t offset = 0, size = 0;
  std::uint32_t file = 0;  // of Run::paths()
  ValueKind kind = ValueKind::kNone;
};

// Whatever a run says under one tag. What it is follows from the first value.
struct Series {
  SeriesMetadata metadata;
  ScalarColumns scalars;            // of plugin "scalars"
  std::vector<StoredValue> stored;  // of the others
  std::uint64_t samples = 0;        // the most pictures or clips of one step

  bool is_scalar() const { return metadata.plugin == "scalars"; }
};

// A file of events, and how far it has been read.
struct LogFile {
  std::string path;
  std::uint64_t offset = 0, size = 0;
  std::int64_t modified_nanos = 0;
  std::string start;   // its first bytes: others mean another file of the same name
  std::string damage;  // why it is read no further; "" when all is well
};

// What the event files of one directory say. Safe from several threads at once: one writes, others
// call with_lock.
class Run {
 public:
  Run(std::string name, std::string directory)
      : name_(std::move(name)), directory_(std::move(directory)) {}

  const std::string& name() const { return name_; }
  const std::string& directory() const { return directory_; }

  // What is known, for who holds the lock of with_lock.
  struct Contents {
    std::map<std::string, Series, std::less<>> series;
    std::optional<StoredValue> graph, meta_graph;
    std::map<std::string, StoredValue, std::less<>> run_metadata;  // by tag
    std::vector<std::string> paths;
    std::vector<std::string> damages;
    std::optional<double> first_wall_time;
    std::uint64_t events = 0;
  };
  template <class Use>
  auto with_lock(Use&& use) const {
    const std::lock_guard lock(mutex_);
    return use(static_cast<const Contents&>(contents_));
  }

  // Goes on reading where the last call ended; true if there was anything new. For one thread.
  // `files` are the event files that are there now, in order.
  bool follow(const std::vector<LogFile>& files);
  // Whether follow() could find something new.
  bool is_stale(const std::vector<LogFile>& files) const;

 private:
  void start_anew();
  bool follow_file(std::uint32_t number);
  std::uint64_t take_records(std::string_view chunk, LogFile& file, std::uint32_t number);
  bool take_large_record(const ReadableFile& opened, std::uint64_t size, LogFile& file,
                         std::uint32_t number);
  template <class Bytes>
  void take_event(Bytes& bytes, std::uint64_t size, std::uint64_t at, std::uint32_t file);
  template <class Bytes>
  void take_values(Bytes& bytes, const EventFacts& event, std::uint64_t at, std::uint32_t file);
  bool take_plain_scalar(std::string_view record);
  Series* known_series(std::string_view tag);  // null when there is none yet
  Series& series_of(const ValueFacts& value);
  void purge(std::int64_t from, Series& series);
  void purge_all(std::int64_t from);

  const std::string name_, directory_;
  std::vector<LogFile> files_;  // of the thread that follows
  mutable std::mutex mutex_;
  Contents contents_;  // guarded by mutex_
  // Of the thread that follows: tags mostly come in the same order again and again.
  std::unordered_map<std::string_view, std::size_t> by_tag_;  // where it is in order_
  std::vector<std::pair<std::string_view, Series*>> order_;
  std::size_t next_in_order_ = 0;
  double version_ = 0;
  std::int64_t latest_step_ = 0;
  ValueFacts value_;
};

// Reads the bytes of a value from its file. Throws NotFound or DataLoss when they are gone.
std::string read_stored(const std::string& path, const StoredValue& value);

}  // namespace rill::board
