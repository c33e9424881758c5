#include "rill/serve/telemetry/line_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "rill/base/error.h"
#include "rill/base/log.h"

namespace rill::serve {
namespace {

constexpr std::size_t kMostWaiting = std::size_t{16} << 20;
constexpr std::chrono::milliseconds kBetweenWrites{100};

}  // namespace

LineFile::LineFile(std::string path, Counter* lost)
    : path_(std::move(path)), lost_(lost), file_(open_file()), thread_([this] { work(); }) {}

LineFile::~LineFile() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (file_ > STDERR_FILENO) ::close(file_);
}

int LineFile::open_file() const {
  if (path_ == "-") return STDERR_FILENO;
  constexpr int kMode = 0644;
  const int file = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
  if (file < 0)
    raise(Code::kInvalidArgument, "Cannot write to ", path_, ": ", std::strerror(errno));
  return file;
}

void LineFile::add(std::string line) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() + line.size() >= kMostWaiting) {
    if (lost_ != nullptr) lost_->add();
    return;
  }
  waiting_ += line;
  waiting_ += '\n';
  ++added_;  // the thread looks by itself; waking it would cost more than waiting for it
}

void LineFile::flush() {
  std::unique_lock lock(mutex_);
  const std::int64_t all = added_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return written_ >= all; });
}

void LineFile::reopen() {
  const std::lock_guard lock(mutex_);
  wants_reopen_ = true;
  changed_.notify_all();
}

void LineFile::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    const bool is_over = is_over_, reopens = std::exchange(wants_reopen_, false);
    const std::string text = std::exchange(waiting_, {});
    const std::int64_t all = added_;
    lock.unlock();
    write(text);
    if (reopens && file_ > STDERR_FILENO) try {
        ::close(std::exchange(file_, open_file()));
      } catch (const Error& error) {
        log(LogLevel::kError, error.message());
      }
    lock.lock();
    written_ = all;
    changed_.notify_all();
    if (is_over && waiting_.empty()) return;
    changed_.wait_for(lock, kBetweenWrites);
  }
}

void LineFile::write(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {  // a full disk say; requests go on
      if (lost_ != nullptr)
        lost_->add(std::count(text.begin() + static_cast<std::ptrdiff_t>(done), text.end(), '\n'));
      return;
    }
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace rill::serve
