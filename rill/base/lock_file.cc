#include "rill/base/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"

namespace rill {
namespace {

// What is locked, while nobody knows yet whether it is the file of that name.
class Opened {
 public:
  Opened(const std::string& path, int flags)
      : file_(::open(path.c_str(), flags | O_RDWR | O_CLOEXEC, 0644)) {
    // Another user's: a file that may only be read can be locked, too.
    if (file_ < 0 && errno == EACCES) file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  }
  ~Opened() {
    if (file_ >= 0) ::close(file_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  bool is_open() const { return file_ >= 0; }
  int get() const { return file_; }
  int release() { return std::exchange(file_, -1); }
  bool lock() const { return ::flock(file_, LOCK_EX | LOCK_NB) == 0; }
  // Whoever removed the file in between had it locked and has let go.
  bool is_named(const std::string& path) const {
    struct stat own {
    }, named{};
    return ::fstat(file_, &own) == 0 && ::stat(path.c_str(), &named) == 0 &&
           own.st_dev == named.st_dev && own.st_ino == named.st_ino;
  }
  std::string text() const {
    std::array<char, 4096> bytes;
    const ssize_t count = ::pread(file_, bytes.data(), bytes.size(), 0);
    return std::string(bytes.data(), count < 0 ? 0 : static_cast<std::size_t>(count));
  }

 private:
  int file_;
};

bool file_is_empty(int file) {
  struct stat found {};
  return ::fstat(file, &found) == 0 && found.st_size == 0;
}

std::string owner_line() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return str_cat("process ", ::getpid(), " of ", host.data());
}

bool is_local(const std::string& path) { return &file_system_of(path) == &local_files(); }

std::string local_name(const std::string& path) {
  return path.starts_with("file://") ? path.substr(7) : path;
}

}  // namespace

std::shared_ptr<LockFile> LockFile::take(const std::string& path, std::string_view what) {
  const std::string name = local_name(path);
  const auto make = [&](int file) { return std::shared_ptr<LockFile>(new LockFile(name, file)); };
  if (!is_local(path)) return make(-1);
  while (true) {
    Opened file(name, O_CREAT);
    if (!file.is_open()) return make(-1);  // the writing itself will tell what is wrong
    if (!file.lock()) {
      if (errno != EWOULDBLOCK) return make(-1);
      const std::string text = file.text();
      const std::string owner = text.substr(0, text.find('\n'));
      raise(Code::kFailedPrecondition, what, " by ", owner.empty() ? "another process" : owner,
            "; see ", path);
    }
    if (!file.is_named(name)) continue;
    auto lock = make(file.release());
    // Only what was left behind: emptying a new file makes some file systems write it out at once.
    if (!file_is_empty(lock->file_) && ::ftruncate(lock->file_, 0) != 0) return lock;
    lock->note(owner_line());
    return lock;
  }
}

std::optional<LockFile::Left> LockFile::take_left(const std::string& path) {
  if (!is_local(path)) return std::nullopt;
  const std::string name = local_name(path);
  Opened file(name, 0);
  if (!file.is_open() || !file.lock() || !file.is_named(name)) return std::nullopt;
  Left left{.lock = nullptr, .notes = file.text()};
  left.lock = std::shared_ptr<LockFile>(new LockFile(name, file.release()));
  return left;
}

LockFile::~LockFile() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());  // while it is still locked
  ::close(file_);
}

void LockFile::note(std::string_view line) {
  if (file_ < 0) return;
  const std::string text = str_cat(line, "\n");
  const off_t end = ::lseek(file_, 0, SEEK_END);
  if (end >= 0 && ::pwrite(file_, text.data(), text.size(), end) < 0) return;  // no room: no note
}

bool replace_by_link(const std::string& from, const std::string& to) {
  CrashSafeFiles* const files = crash_safe_files(from);
  if (files == nullptr || files != crash_safe_files(to)) return false;
  if (file_exists(to)) file_system_of(to).remove_file(to);
  return files->link(from, to);
}

}  // namespace rill
