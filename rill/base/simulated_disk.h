#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"

namespace rill {

// What of the bytes and names that were not synced is there after a crash.
enum class AfterCrash {
  nothing,      // the least that is promised
  everything,   // a process that was killed
  names_alone,  // renamed files without their bytes
  prefix,       // names as far as the disk came with them, in order; no bytes
  scattered,    // each name or not, in any order; sectors of 512 bytes, or zeros where they belong
};
inline constexpr AfterCrash kEveryCrash[] = {AfterCrash::nothing, AfterCrash::everything,
                                             AfterCrash::names_alone, AfterCrash::prefix,
                                             AfterCrash::scattered};

// A disk in memory, for tests of what is left when the power goes. It writes down every operation,
// and builds what a disk may hold after the first so many of them:
//
//   SimulatedDisk& disk = SimulatedDisk::at("crash");   // paths "crash://..."
//   disk.format();
//   save("crash://run/model");
//   const auto log = disk.log();
//   for (std::size_t cut = 0; cut <= log->size(); ++cut) {
//     disk.start_after(*log, cut, AfterCrash::nothing, 0);
//     ...                                           // what can be restored?
//   }
class SimulatedDisk final : public FileSystem, public CrashSafeFiles {
 public:
  // One change of the disk.
  struct Operation {
    enum Kind { create, append, truncate, sync_bytes, sync_names, rename, link, remove, directory };
    Kind kind;
    std::string path, to, bytes;
    int file = -1;
  };
  using Log = std::vector<Operation>;

  // The disk of a scheme, which is registered by the first call; one for the whole process.
  static SimulatedDisk& at(const std::string& scheme);

  void format();  // empty, and nothing written down
  std::shared_ptr<const Log> log() const;
  // What the first `count` operations may have left, on a disk that was empty before them. Chances
  // are taken by `seed`. The new log begins with what is found.
  void start_after(const Log& log, std::size_t count, AfterCrash what, std::uint64_t seed);
  // The operation of this number from now on, counted from 0, fails with this error: changes of the
  // disk, and closing a file that was written; of an append half of the bytes are written. `stays`:
  // so do all later ones; of a full disk (kResourceExhausted) those that need room.
  void fail_at(std::size_t operation, Code code, bool stays);
  // From this operation on the whole disk is gone, as a network's can be: what was there is not
  // found to be missing, asking for it fails.
  void vanish_at(std::size_t operation);
  bool has_failed() const;
  void repair();  // no operation fails any more

  std::unique_ptr<ReadableFile> open(const std::string& path) override;
  std::unique_ptr<WritableFile> create(const std::string& path, WriteMode mode) override;
  FileFacts facts(const std::string& path) override;
  std::vector<std::string> list(const std::string& directory) override;
  void remove_file(const std::string& path) override;
  void make_directory(const std::string& path) override;
  void remove_directory(const std::string& path) override;
  void rename(const std::string& from, const std::string& to) override;
  void sync_path(const std::string& path) override;
  bool link(const std::string& from, const std::string& to) override;

 private:
  friend class SimulatedWritable;
  static constexpr int kDirectory = -1;
  struct Fault {
    std::size_t operation;
    Code code;
    bool stays;
    bool is_gone = false;
  };

  explicit SimulatedDisk(std::string scheme) : root_(scheme + "://") {}
  int found(const std::string& path) const;  // throws NotFound
  void check_there(const std::string& path) const;
  void check_parent(const std::string& path) const;
  void check_fault(const std::string& path, bool needs_room = false);
  void apply(const Operation& operation);
  void append(int file, const std::string& path, std::string_view bytes);
  void sync(int file, const std::string& path);
  void close(const std::string& path);

  const std::string root_;
  mutable std::mutex mutex_;
  std::map<std::string, int> names_;  // of files, or kDirectory
  std::vector<std::string> bytes_;    // by file
  std::vector<std::int64_t> modified_;
  std::int64_t clock_ = 0;
  std::shared_ptr<Log> log_ = std::make_shared<Log>();
  std::optional<Fault> fault_;
  std::size_t since_fault_set_ = 0;
  mutable bool has_failed_ = false;
};

}  // namespace rill
