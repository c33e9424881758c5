#include "rill/base/simulated_disk.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "rill/base/file_system_registry.h"
#include "rill/base/files.h"

namespace rill {
namespace {

using Operation = SimulatedDisk::Operation;

constexpr std::size_t kSector = 512;

// Small and the same everywhere.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::size_t below(std::size_t count) {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return count == 0 ? 0 : static_cast<std::size_t>((state_ >> 11) % count);
  }
  bool coin() { return below(2) == 0; }

 private:
  std::uint64_t state_;
};

std::string plain(const std::string& path) {
  std::string result = path;
  while (result.size() > 1 && result.ends_with('/') && !result.ends_with("://")) result.pop_back();
  return result;
}

// The directory whose names an operation changes.
std::string directory_of(const Operation& done) {
  return parent_path(done.kind == Operation::rename || done.kind == Operation::link ? done.to
                                                                                    : done.path);
}

bool changes_names(Operation::Kind kind) {
  return kind == Operation::create || kind == Operation::rename || kind == Operation::link ||
         kind == Operation::remove || kind == Operation::directory;
}

class SimulatedReadable final : public ReadableFile {
 public:
  SimulatedReadable(const std::string& path, std::string bytes)
      : ReadableFile(path), bytes_(std::move(bytes)) {}
  std::size_t read(std::uint64_t offset, std::span<char> out) const override {
    if (offset >= bytes_.size()) return 0;
    const std::size_t count = std::min<std::size_t>(out.size(), bytes_.size() - offset);
    if (count > 0) std::memcpy(out.data(), bytes_.data() + offset, count);
    return count;
  }
  std::uint64_t size() const override { return bytes_.size(); }

 private:
  const std::string bytes_;
};

// The bytes of one file, as the operations so far leave them.
struct Content {
  std::string now, synced;
  void apply(const Operation& done) {
    if (done.kind == Operation::truncate) now.clear();
    if (done.kind == Operation::append) now += done.bytes;
    if (done.kind == Operation::sync_bytes) synced = now;
  }
  std::string after(AfterCrash what, Chance& chance) const {
    if (what == AfterCrash::everything) return now;
    if (what != AfterCrash::scattered || !now.starts_with(synced)) return synced;
    std::string left = now.substr(0, synced.size() + chance.below(now.size() - synced.size() + 1));
    for (std::size_t at = synced.size(); at < left.size(); at += kSector)
      if (chance.coin())
        std::fill_n(left.begin() + static_cast<std::ptrdiff_t>(at),
                    std::min(kSector, left.size() - at), '\0');
    return left;
  }
};

// Which operations on names a disk remembers.
std::vector<bool> remembered(const SimulatedDisk::Log& log, std::size_t count, AfterCrash what,
                             Chance& chance) {
  std::vector<bool> kept(count, false);
  std::size_t lost_from = what == AfterCrash::prefix ? chance.below(count + 1) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!changes_names(log[i].kind)) continue;
    kept[i] = what == AfterCrash::everything || what == AfterCrash::names_alone ||
              (what == AfterCrash::prefix && i < lost_from) ||
              (what == AfterCrash::scattered && chance.coin());
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (log[i].kind != Operation::sync_names) continue;
    for (std::size_t j = 0; j < i; ++j)
      if (changes_names(log[j].kind) && directory_of(log[j]) == log[i].path) kept[j] = true;
  }
  return kept;
}

}  // namespace

class SimulatedWritable final : public WritableFile {
 public:
  SimulatedWritable(SimulatedDisk& disk, const std::string& path, int file)
      : WritableFile(path), disk_(disk), file_(file) {}
  void append(std::string_view bytes) override { disk_.append(file_, path(), bytes); }
  void flush() override {}
  void sync() override { disk_.sync(file_, path()); }
  void close() override {
    if (!std::exchange(is_closed_, true)) disk_.close(path());
  }

 private:
  bool is_closed_ = false;
  SimulatedDisk& disk_;
  const int file_;
};

SimulatedDisk& SimulatedDisk::at(const std::string& scheme) {
  static std::mutex mutex;
  static std::map<std::string, SimulatedDisk*> all;
  const std::lock_guard lock(mutex);
  SimulatedDisk*& disk = all[scheme];
  if (disk == nullptr) {
    disk = new SimulatedDisk(scheme);
    register_file_system(scheme, std::unique_ptr<FileSystem>(disk));
  }
  return *disk;
}

void SimulatedDisk::format() { start_after({}, 0, AfterCrash::everything, 0); }

std::shared_ptr<const SimulatedDisk::Log> SimulatedDisk::log() const {
  const std::lock_guard lock(mutex_);
  return std::make_shared<const Log>(*log_);
}

void SimulatedDisk::start_after(const Log& log, std::size_t count, AfterCrash what,
                                std::uint64_t seed) {
  Chance chance(seed * 0x9e3779b97f4a7c15u + count + 1);
  std::map<int, Content> contents;
  std::map<int, std::int64_t> modified;
  std::map<std::string, int> names;
  const std::vector<bool> kept = remembered(log, count, what, chance);
  for (std::size_t i = 0; i < count; ++i) {
    const Operation& done = log[i];
    contents[done.file].apply(done);
    modified[done.file] = static_cast<std::int64_t>(i);
    if (!kept[i]) continue;
    if (done.kind == Operation::rename)
      std::erase_if(names, [&](const auto& name) {
        return name.first == done.path && name.second == done.file;
      });
    if (done.kind == Operation::remove)
      names.erase(done.path);
    else
      names[done.to.empty() ? done.path : done.to] = done.file;
  }
  const std::lock_guard lock(mutex_);
  names_.clear(), bytes_.clear(), modified_.clear();
  log_ = std::make_shared<Log>();
  fault_.reset();
  // What is found is there for good. Directories first, since their names come first.
  std::map<int, int> renumbered;
  for (const auto& [path, file] : names) {
    if (file == kDirectory) {
      apply({.kind = Operation::directory, .path = path, .to = "", .bytes = ""});
    } else if (const auto known = renumbered.find(file); known != renumbered.end()) {
      apply({Operation::link, path, path, "", known->second});
    } else {
      const int number = renumbered[file] = static_cast<int>(bytes_.size());
      apply({Operation::create, path, "", "", number});
      apply({Operation::append, path, "", contents[file].after(what, chance), number});
      apply({Operation::sync_bytes, path, "", "", number});
    }
    apply({.kind = Operation::sync_names, .path = parent_path(path), .to = "", .bytes = ""});
  }
  for (const auto& [file, number] : renumbered)
    modified_[static_cast<std::size_t>(number)] = modified[file];
  clock_ = std::max(clock_, static_cast<std::int64_t>(count));
}

void SimulatedDisk::fail_at(std::size_t operation, Code code, bool stays) {
  const std::lock_guard lock(mutex_);
  fault_ = Fault{operation, code, stays};
  since_fault_set_ = 0;
  has_failed_ = false;
}
void SimulatedDisk::vanish_at(std::size_t operation) {
  fail_at(operation, Code::kUnknown, /*stays=*/true);
  const std::lock_guard lock(mutex_);
  fault_->is_gone = true;
}
bool SimulatedDisk::has_failed() const {
  const std::lock_guard lock(mutex_);
  return has_failed_;
}
void SimulatedDisk::repair() {
  const std::lock_guard lock(mutex_);
  fault_.reset();
}

void SimulatedDisk::check_fault(const std::string& path, bool needs_room) {
  const std::size_t now = since_fault_set_++;
  if (!fault_ || now < fault_->operation) return;
  const bool is_full = fault_->code == Code::kResourceExhausted;
  if (now > fault_->operation && (!fault_->stays || (is_full && !needs_room))) return;
  has_failed_ = true;
  raise(fault_->code, path, "; the disk fails");
}

// With the mutex.
void SimulatedDisk::check_there(const std::string& path) const {
  if (!fault_ || !fault_->is_gone || since_fault_set_ <= fault_->operation) return;
  has_failed_ = true;
  raise(fault_->code, path, "; the disk fails");
}

int SimulatedDisk::found(const std::string& path) const {
  check_there(path);
  if (plain(path) == root_) return kDirectory;
  const auto at = names_.find(plain(path));
  if (at == names_.end()) raise(Code::kNotFound, path, "; No such file or directory");
  return at->second;
}

void SimulatedDisk::check_parent(const std::string& path) const {
  if (found(parent_path(path)) != kDirectory)
    raise(Code::kFailedPrecondition, path, "; Not a directory");
}

void SimulatedDisk::apply(const Operation& done) {
  switch (done.kind) {
    case Operation::create:
      bytes_.emplace_back();
      modified_.push_back(0);
      names_[done.path] = done.file;
      break;
    case Operation::append:
      bytes_[static_cast<std::size_t>(done.file)] += done.bytes;
      break;
    case Operation::truncate:
      bytes_[static_cast<std::size_t>(done.file)].clear();
      break;
    case Operation::rename:
      names_.erase(done.path);
      names_[done.to] = done.file;
      break;
    case Operation::link:
      names_[done.to] = done.file;
      break;
    case Operation::remove:
      names_.erase(done.path);
      break;
    case Operation::directory:
      names_[done.path] = kDirectory;
      break;
    default:
      break;
  }
  log_->push_back(done);
  if (done.file >= 0) modified_[static_cast<std::size_t>(done.file)] = ++clock_;
}

void SimulatedDisk::append(int file, const std::string& path, std::string_view bytes) {
  if (bytes.empty()) return;
  const std::lock_guard lock(mutex_);
  try {
    check_fault(path, /*needs_room=*/true);
  } catch (const Error&) {  // a short write
    apply({Operation::append, path, "", std::string(bytes.substr(0, bytes.size() / 2)), file});
    throw;
  }
  apply({Operation::append, path, "", std::string(bytes), file});
}

// What a network's disk could not take may be told only now.
void SimulatedDisk::close(const std::string& path) {
  const std::lock_guard lock(mutex_);
  check_fault(path, /*needs_room=*/true);
}

void SimulatedDisk::sync(int file, const std::string& path) {
  const std::lock_guard lock(mutex_);
  check_fault(path);
  apply({Operation::sync_bytes, path, "", "", file});
}

std::unique_ptr<ReadableFile> SimulatedDisk::open(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const int file = found(path);
  if (file == kDirectory) raise(Code::kFailedPrecondition, path, "; Is a directory");
  return std::make_unique<SimulatedReadable>(path, bytes_[static_cast<std::size_t>(file)]);
}

std::unique_ptr<WritableFile> SimulatedDisk::create(const std::string& path, WriteMode mode) {
  const std::lock_guard lock(mutex_);
  check_there(path);
  check_parent(path);
  const auto at = names_.find(path);
  if (at != names_.end() && at->second == kDirectory)
    raise(Code::kFailedPrecondition, path, "; Is a directory");
  int file = at == names_.end() ? static_cast<int>(bytes_.size()) : at->second;
  if (at == names_.end() || mode == WriteMode::truncate) {
    check_fault(path, /*needs_room=*/true);
    apply({at == names_.end() ? Operation::create : Operation::truncate, path, "", "", file});
  }
  return std::make_unique<SimulatedWritable>(*this, path, file);
}

FileFacts SimulatedDisk::facts(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const int file = found(path);
  if (file == kDirectory) return {.is_directory = true};
  const auto at = static_cast<std::size_t>(file);
  return {.size = bytes_[at].size(), .modified_nanos = modified_[at]};
}

std::vector<std::string> SimulatedDisk::list(const std::string& directory) {
  const std::lock_guard lock(mutex_);
  if (found(directory) != kDirectory)
    raise(Code::kFailedPrecondition, directory, "; Not a directory");
  std::vector<std::string> names;
  for (const auto& [path, file] : names_)
    if (parent_path(path) == plain(directory)) names.emplace_back(base_name(path));
  return names;
}

void SimulatedDisk::remove_file(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const int file = found(path);
  if (file == kDirectory) raise(Code::kFailedPrecondition, path, "; Is a directory");
  check_fault(path);
  apply({Operation::remove, path, "", "", file});
}

void SimulatedDisk::make_directory(const std::string& path) {
  const std::lock_guard lock(mutex_);
  check_parent(path);
  if (names_.contains(plain(path))) raise(Code::kAlreadyExists, path, "; File exists");
  check_fault(path, /*needs_room=*/true);
  apply({.kind = Operation::directory, .path = plain(path), .to = "", .bytes = ""});
}

void SimulatedDisk::remove_directory(const std::string& path) {
  if (!list(path).empty()) raise(Code::kFailedPrecondition, path, "; Directory not empty");
  const std::lock_guard lock(mutex_);
  check_fault(path);
  apply({.kind = Operation::remove, .path = plain(path), .to = "", .bytes = ""});
}

void SimulatedDisk::rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  const int file = found(from);
  if (file == kDirectory) raise(Code::kUnimplemented, from, "; directories are not renamed");
  check_parent(to);
  check_fault(from);
  apply({Operation::rename, from, to, "", file});
}

void SimulatedDisk::sync_path(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const int file = found(path);
  check_fault(path);
  apply({file == kDirectory ? Operation::sync_names : Operation::sync_bytes, plain(path), "", "",
         file});
}

bool SimulatedDisk::link(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  const int file = found(from);
  if (file == kDirectory || names_.contains(to)) return false;
  check_fault(from, /*needs_room=*/true);
  apply({Operation::link, from, to, "", file});
  return true;
}

}  // namespace rill
