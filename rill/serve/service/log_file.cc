#include "rill/serve/service/log_file.h"

#include <chrono>
#include <ctime>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/log.h"
#include "rill/io/record_writer.h"

namespace rill::serve {
namespace {

constexpr auto kRest = std::chrono::seconds(1);
constexpr std::int64_t kRecordBytes = 16;  // what a record takes beside its own

std::string time_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%S", &parts);
  return text;
}

}  // namespace

LogFile::LogFile(std::string prefix, const LogFileOptions& options)
    : prefix_(std::move(prefix)), options_(options), thread_([this] { work(); }) {}

LogFile::~LogFile() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool LogFile::add(std::string record) {
  const auto size = static_cast<std::int64_t>(record.size()) + kRecordBytes;
  const std::lock_guard lock(mutex_);
  if (is_over_ || waiting_bytes_ + size > options_.max_waiting_bytes) return false;
  waiting_bytes_ += size;
  waiting_.push_back(std::move(record));
  ++added_;
  return true;  // the thread looks by itself; waking it would cost more than waiting for it
}

void LogFile::flush() {
  std::unique_lock lock(mutex_);
  const std::int64_t all = added_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return written_ >= all; });
}

void LogFile::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    const bool is_over = is_over_;
    std::deque<std::string> records = std::exchange(waiting_, {});
    const auto count = static_cast<std::int64_t>(records.size());
    waiting_bytes_ = 0;
    lock.unlock();
    write(std::move(records));
    lock.lock();
    written_ += count;
    changed_.notify_all();
    if (is_over && waiting_.empty()) break;
    const auto rest = waiting_.empty() ? kRest : std::chrono::seconds(0);
    changed_.wait_for(lock, rest, [&] { return is_over_ || added_ > written_; });
  }
  lock.unlock();
  close_file();
}

void LogFile::write(std::deque<std::string> records) {
  try {
    const std::int64_t now = monotonic_nanos();
    if (writer_ != nullptr && now - file_begun_ > options_.max_file_seconds * 1'000'000'000)
      close_file();
    for (const std::string& record : records) {
      if (writer_ != nullptr && file_bytes_ >= options_.max_file_bytes) close_file();
      if (writer_ == nullptr) begin_file();
      writer_->write(record);
      file_bytes_ += static_cast<std::int64_t>(record.size()) + kRecordBytes;
    }
    if (writer_ != nullptr && !records.empty()) writer_->flush();
    has_complained_ = false;
  } catch (...) {  // a full disk say; requests go on
    if (!std::exchange(has_complained_, true))
      log(LogLevel::kError, "Requests cannot be logged: ", current_error().what());
    writer_.reset();
  }
}

void LogFile::begin_file() {
  if (const auto slash = prefix_.rfind('/'); slash != std::string::npos && slash > 0)
    make_directories(prefix_.substr(0, slash));
  std::string path;
  do {
    path = str_cat(prefix_, "-", time_text(), "-", ++file_count_, ".tfrecord");
  } while (file_exists(path));
  writer_ = std::make_unique<RecordWriter>(path);
  file_bytes_ = 0;
  file_begun_ = monotonic_nanos();
}

void LogFile::close_file() {
  if (writer_ == nullptr) return;
  try {
    writer_->close();
  } catch (...) {
    log(LogLevel::kError, "Requests cannot be logged: ", current_error().what());
  }
  writer_.reset();
}

}  // namespace rill::serve
