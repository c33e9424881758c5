#include "rill/io/event_writer.h"

#include <cstdio>

#include "rill/base/clock.h"
#include "rill/base/durable_files.h"
#include "rill/base/environment.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/log.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

constexpr const char* kFileVersion = "brain.Event:2";

std::string event_path(const std::string& prefix, const std::string& suffix, std::int64_t seconds) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "%010lld", static_cast<long long>(seconds));
  return str_cat(prefix, ".out.tfevents.", digits, ".", host_name(), suffix);
}

// Not asked of object stores, where that is a request and writing would wait for it: the file is
// made anew there whenever it is flushed.
bool is_still_there(const std::string& path) {
  return file_system_of(path).writes_whole_files() || file_exists(path);
}

}  // namespace

EventWriter::EventWriter(std::string prefix, std::string suffix)
    : prefix_(std::move(prefix)), suffix_(std::move(suffix)) {}

void EventWriter::open_if_needed() {
  if (records_ != nullptr) {
    if (is_still_there(path_)) return;
    log(LogLevel::kWarning, "The events file ", path_, " has disappeared, and ", unflushed_,
        " events with it.");
    records_.reset();
  }
  std::int64_t seconds = wall_micros() / 1'000'000;
  make_durable_directories(parent_path(prefix_));
  // Another writer may have begun in the same second; its events are not ours to overwrite.
  while (file_exists(path_ = event_path(prefix_, suffix_, seconds))) ++seconds;
  records_ = std::make_unique<RecordWriter>(path_);
  tensorflow::Event version;
  version.set_wall_time(static_cast<double>(seconds));
  version.set_file_version(kFileVersion);
  records_->write(version.SerializeAsString());
  records_->flush();
  sync_parent(path_);
  unflushed_ = 0;
}

const std::string& EventWriter::path() {
  open_if_needed();
  return path_;
}

void EventWriter::write(const tensorflow::Event& event) {
  write_serialized(event.SerializeAsString());
}

void EventWriter::write_serialized(std::string_view event) {
  open_if_needed();
  records_->write(event);
  ++unflushed_;
}

void EventWriter::write_serialized(std::span<const std::string> events) {
  open_if_needed();
  for (const std::string& event : events) records_->write(event);
  unflushed_ += events.size();
}

void EventWriter::check_still_there() const {
  if (!is_still_there(path_)) raise(Code::kUnknown, "The events file ", path_, " has disappeared.");
}

void EventWriter::flush() {
  if (records_ == nullptr) return;
  check_still_there();
  records_->flush();
  unflushed_ = 0;
}

void EventWriter::sync() {
  if (records_ == nullptr) return;
  check_still_there();
  records_->sync();
  unflushed_ = 0;
}

void EventWriter::close() {
  if (records_ == nullptr) return;
  const auto records = std::move(records_);
  check_still_there();
  records->close();
  unflushed_ = 0;
}

}  // namespace rill
