// Files in the memory of this process. A directory is there when it was made or when something is
// below it, as in object stores: a file needs no parent.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"

namespace rill {
namespace {

struct RamFile {
  mutable std::shared_mutex mutex;
  std::string bytes;
  std::int64_t modified_nanos = wall_micros() * 1000;
};

class RamReadable final : public ReadableFile {
 public:
  RamReadable(const std::string& path, std::shared_ptr<const RamFile> file)
      : ReadableFile(path), file_(std::move(file)) {}
  std::size_t read(std::uint64_t offset, std::span<char> out) const override {
    const std::shared_lock lock(file_->mutex);
    if (offset >= file_->bytes.size()) return 0;
    const std::size_t count = std::min<std::size_t>(out.size(), file_->bytes.size() - offset);
    if (count > 0) std::memcpy(out.data(), file_->bytes.data() + offset, count);
    return count;
  }
  std::uint64_t size() const override {
    const std::shared_lock lock(file_->mutex);
    return file_->bytes.size();
  }

 private:
  std::shared_ptr<const RamFile> file_;
};

class RamWritable final : public WritableFile {
 public:
  RamWritable(const std::string& path, std::shared_ptr<RamFile> file)
      : WritableFile(path), file_(std::move(file)) {}
  void append(std::string_view bytes) override {
    if (file_ == nullptr) raise(Code::kFailedPrecondition, path(), " is closed");
    const std::unique_lock lock(file_->mutex);
    file_->bytes.append(bytes);
    file_->modified_nanos = wall_micros() * 1000;
  }
  void flush() override {}
  void sync() override {}
  void close() override { file_.reset(); }

 private:
  std::shared_ptr<RamFile> file_;
};

// "ram://a//b/" and "ram:///a/b" name what "a/b" names.
std::string plain(std::string_view path) {
  path.remove_prefix(std::string_view("ram://").size());
  std::string result;
  for (const char c : path) {
    if (c != '/' || (!result.empty() && result.back() != '/')) result.push_back(c);
  }
  if (!result.empty() && result.back() == '/') result.pop_back();
  return result;
}

[[noreturn]] void not_found(const std::string& path) {
  raise(Code::kNotFound, path, "; No such file or directory");
}

class RamFiles final : public FileSystem {
 public:
  std::unique_ptr<ReadableFile> open(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(plain(path));
    if (found != entries_.end() && found->second != nullptr)
      return std::make_unique<RamReadable>(path, found->second);
    if (is_directory(plain(path))) raise(Code::kFailedPrecondition, path, "; Is a directory");
    not_found(path);
  }

  std::unique_ptr<WritableFile> create(const std::string& path, WriteMode mode) override {
    const std::lock_guard lock(mutex_);
    const std::string key = plain(path);
    if (is_directory(key)) raise(Code::kFailedPrecondition, path, "; Is a directory");
    auto& file = entries_[key];
    // Whoever reads the old file goes on reading it.
    if (file == nullptr || mode == WriteMode::truncate) file = std::make_shared<RamFile>();
    return std::make_unique<RamWritable>(path, file);
  }

  FileFacts facts(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(plain(path));
    if (found == entries_.end() || found->second == nullptr) {
      if (is_directory(plain(path))) return {.is_directory = true};
      not_found(path);
    }
    const std::shared_lock file_lock(found->second->mutex);
    return {.size = found->second->bytes.size(), .modified_nanos = found->second->modified_nanos};
  }

  std::vector<std::string> list(const std::string& directory) override {
    const std::lock_guard lock(mutex_);
    const std::string key = plain(directory);
    if (!is_directory(key)) {
      if (entries_.contains(key)) raise(Code::kFailedPrecondition, directory, "; Not a directory");
      not_found(directory);
    }
    const std::string below = key.empty() ? "" : key + "/";
    std::vector<std::string> names;
    for (auto at = entries_.lower_bound(below); at != entries_.end(); ++at) {
      if (!at->first.starts_with(below)) break;
      std::string name = at->first.substr(below.size());
      name.resize(std::min(name.find('/'), name.size()));
      if (names.empty() || names.back() != name) names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

  void remove_file(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(plain(path));
    if (found != entries_.end() && found->second != nullptr) {
      entries_.erase(found);
      return;
    }
    if (is_directory(plain(path))) raise(Code::kFailedPrecondition, path, "; Is a directory");
    not_found(path);
  }

  void make_directory(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    const std::string key = plain(path);
    if (entries_.contains(key) || is_directory(key))
      raise(Code::kAlreadyExists, path, "; File exists");
    entries_[key] = nullptr;
  }

  void remove_directory(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    const std::string key = plain(path);
    if (!is_directory(key)) {
      if (entries_.contains(key)) raise(Code::kFailedPrecondition, path, "; Not a directory");
      not_found(path);
    }
    if (has_entries_below(key)) raise(Code::kFailedPrecondition, path, "; Directory not empty");
    entries_.erase(key);
  }

  void rename(const std::string& from, const std::string& to) override {
    const std::lock_guard lock(mutex_);
    const std::string old_key = plain(from), new_key = plain(to);
    if (old_key == new_key) return;
    if (const auto found = entries_.find(old_key);
        found != entries_.end() && found->second != nullptr) {
      if (is_directory(new_key)) raise(Code::kFailedPrecondition, to, "; Is a directory");
      auto file = std::move(found->second);
      entries_.erase(found);
      entries_[new_key] = std::move(file);
      return;
    }
    if (!is_directory(old_key)) not_found(from);
    if (new_key.starts_with(old_key + "/"))
      raise(Code::kInvalidArgument, from, "; cannot be moved below itself, to ", to);
    if (has_entries_below(new_key)) raise(Code::kFailedPrecondition, to, "; Directory not empty");
    move_tree(old_key, new_key);
  }

 private:
  bool has_entries_below(const std::string& key) const {
    if (key.empty()) return !entries_.empty();
    const auto at = entries_.lower_bound(key + "/");
    return at != entries_.end() && at->first.starts_with(key + "/");
  }
  bool is_directory(const std::string& key) const {
    const auto found = entries_.find(key);
    return key.empty() ||
           (found != entries_.end() ? found->second == nullptr : has_entries_below(key));
  }
  void move_tree(const std::string& from, const std::string& to) {
    std::map<std::string, std::shared_ptr<RamFile>> moved{{to, nullptr}};
    entries_.erase(from);
    auto at = entries_.lower_bound(from + "/");
    while (at != entries_.end() && at->first.starts_with(from + "/")) {
      moved[to + at->first.substr(from.size())] = at->second;
      at = entries_.erase(at);
    }
    for (auto& [key, file] : moved) entries_[key] = std::move(file);
  }

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<RamFile>> entries_;  // nullptr: a directory
};

}  // namespace

FileSystem& ram_files() {
  static auto& files = *new RamFiles;  // never destroyed: files may be closed after main()
  return files;
}

}  // namespace rill
