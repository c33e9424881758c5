#include "rill/board/log/run.h"

#include <algorithm>

#include "rill/base/crc32c.h"
#include "rill/base/error.h"
#include "rill/io/record_format.h"

namespace rill::board {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::uint64_t kMostWhole = std::uint64_t{256} << 10;  // larger records are not read whole
constexpr std::size_t kStart = 64;
constexpr std::uint64_t kMostStored = std::uint64_t{1} << 30;

std::string_view plugin_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::kScalar:
      return "scalars";
    case ValueKind::kHistogram:
      return "histograms";
    case ValueKind::kImage:
      return "images";
    case ValueKind::kAudio:
      return "audio";
    default:
      return "";
  }
}

// The length that stands at the beginning of a record; nullopt for one that is broken.
std::optional<std::uint64_t> record_size(std::string_view head) {
  const std::uint32_t sum = load_fixed<std::uint32_t>(head.data() + 8);
  if (unmask_crc(sum) != crc32c(head.substr(0, 8))) return std::nullopt;
  return load_fixed<std::uint64_t>(head.data());
}

std::string start_of(const ReadableFile& file, std::size_t size) {
  std::string start(size, '\0');
  start.resize(file.read(0, start));
  return start;
}

}  // namespace

void ScalarColumns::purge_from(std::int64_t step) {
  ScalarColumns kept;
  for (std::size_t i = 0; i < size(); ++i)
    if (steps[i] < step) kept.push_back(steps[i], wall_times[i], values[i]);
  if (kept.size() < size()) *this = std::move(kept);
}

bool Run::is_stale(const std::vector<LogFile>& files) const {
  return !std::ranges::equal(files, files_, [](const LogFile& found, const LogFile& known) {
    return found.path == known.path && found.size == known.size &&
           found.modified_nanos == known.modified_nanos;
  });
}

void Run::start_anew() {
  const std::lock_guard lock(mutex_);
  contents_ = {};
  by_tag_.clear();
  order_.clear();
  next_in_order_ = 0;
  version_ = 0;
  latest_step_ = 0;
  files_.clear();
}

bool Run::follow(const std::vector<LogFile>& files) {
  const bool goes_on =
      files.size() >= files_.size() &&
      std::ranges::equal(files_, std::span(files).first(files_.size()),
                         [](const LogFile& known, const LogFile& found) {
                           return known.path == found.path && found.size >= known.offset;
                         });
  bool has_changed = !goes_on && !files_.empty();
  if (!goes_on) start_anew();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i == files_.size()) {
      files_.push_back({.path = files[i].path});
      const std::lock_guard lock(mutex_);
      contents_.paths.push_back(files[i].path);
    }
    LogFile& file = files_[i];
    if (file.size == files[i].size && file.modified_nanos == files[i].modified_nanos) continue;
    file.size = files[i].size;
    file.modified_nanos = files[i].modified_nanos;
    const std::string before = std::exchange(file.damage, "");
    const std::uint64_t offset = file.offset;
    try {
      if (!follow_file(static_cast<std::uint32_t>(i))) {  // another file of this name
        start_anew();
        follow(files);
        return true;
      }
    } catch (const Error& error) {
      file.damage = error.message();
    }
    has_changed |= file.offset != offset || file.damage != before;
  }
  const std::lock_guard lock(mutex_);
  contents_.damages.clear();
  for (const LogFile& file : files_)
    if (!file.damage.empty()) contents_.damages.push_back(file.damage);
  return has_changed;
}

// False if the file is not the one that has been read so far.
bool Run::follow_file(std::uint32_t number) {
  LogFile& file = files_[number];
  const auto opened = file_system_of(file.path).open(file.path);
  if (file.offset > 0 && start_of(*opened, file.start.size()) != file.start) return false;
  static thread_local std::string chunk(kChunk, '\0');
  while (true) {
    const std::size_t got = opened->read(file.offset, chunk);
    const std::string_view bytes = std::string_view(chunk).substr(0, got);
    if (file.offset == 0 && file.start.size() < kStart) file.start = bytes.substr(0, kStart);
    const std::uint64_t taken = take_records(bytes, file, number);
    file.offset += taken;
    if (!file.damage.empty()) return true;
    if (taken > 0 && got == kChunk) continue;
    // What is left begins with a large record, or one that is not whole yet.
    if (!take_large_record(*opened, opened->size(), file, number)) return true;
  }
}

// Whole records from the front of `chunk`; returns how many bytes they take.
std::uint64_t Run::take_records(std::string_view chunk, LogFile& file, std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  std::uint64_t at = 0;
  while (chunk.size() - at >= kRecordHeader) {
    const std::string_view rest = chunk.substr(at);
    const auto size = record_size(rest);
    if (!size) {
      file.damage = str_cat("corrupted record at ", file.offset + at, " of ", file.path);
      break;
    }
    if (*size > kMostWhole || rest.size() < *size + kRecordOverhead) break;
    const std::string_view record = rest.substr(kRecordHeader, *size);
    const auto sum = load_fixed<std::uint32_t>(rest.data() + kRecordHeader + *size);
    if (unmask_crc(sum) != crc32c(record)) {
      file.damage = str_cat("corrupted record at ", file.offset + at, " of ", file.path);
      break;
    }
    if (!take_plain_scalar(record)) {
      BytesInMemory bytes(record);
      take_event(bytes, record.size(), file.offset + at + kRecordHeader, number);
    }
    at += *size + kRecordOverhead;
  }
  return at;
}

// A record of which only the small parts are read; false if it is not large, or not there yet.
bool Run::take_large_record(const ReadableFile& opened, std::uint64_t size, LogFile& file,
                            std::uint32_t number) {
  char head[kRecordHeader];
  if (size < file.offset + kRecordHeader || opened.read(file.offset, head) < sizeof head)
    return false;
  const auto length = record_size({head, sizeof head});
  const std::uint64_t left = size - file.offset - kRecordHeader;
  if (!length || *length <= kMostWhole || left < kRecordFooter || *length > left - kRecordFooter)
    return false;
  BytesInFile bytes(opened, file.offset + kRecordHeader, *length);
  {
    const std::lock_guard lock(mutex_);
    take_event(bytes, *length, file.offset + kRecordHeader, number);
  }
  file.offset += *length + kRecordOverhead;
  return true;
}

// `at`: where the record is in its file.
template <class Bytes>
void Run::take_event(Bytes& bytes, std::uint64_t size, std::uint64_t at, std::uint32_t file) {
  using Kind = EventFacts::Kind;
  const EventFacts event = event_facts(bytes, size);
  ++contents_.events;
  if (!contents_.first_wall_time) contents_.first_wall_time = event.wall_time;
  const StoredValue stored{.step = event.step,
                           .wall_time = event.wall_time,
                           .offset = at + event.begin,
                           .size = event.size,
                           .file = file};
  std::string kept;
  switch (event.kind) {
    case Kind::kVersion:
      version_ =
          event_version(bytes.take(event.begin, std::min<std::uint64_t>(event.size, 64), &kept));
      break;
    case Kind::kGraph:
      contents_.graph = stored;
      break;
    case Kind::kMetaGraph:
      contents_.meta_graph = stored;
      break;
    case Kind::kStart:
      if (version_ >= 2) purge_all(event.step);
      break;
    case Kind::kRunMetadata: {
      Fields<Bytes> field(bytes, event.begin, event.size);
      StoredValue found = stored;
      std::string tag;
      while (field.next()) {
        if (field.is_bytes(1) && field.size() <= kMostText) tag = field.text(&kept);
        if (!field.is_bytes(2)) continue;
        found.offset = at + field.begin();
        found.size = field.size();
      }
      contents_.run_metadata[tag] = found;
      break;
    }
    case Kind::kSummary:
      take_values(bytes, event, at, file);
      break;
    case Kind::kNothing:
      break;
  }
}

// The values of a summary.
template <class Bytes>
void Run::take_values(Bytes& bytes, const EventFacts& event, std::uint64_t at, std::uint32_t file) {
  const bool goes_back = version_ < 2 && event.step < latest_step_;
  if (!goes_back) latest_step_ = event.step;
  Fields<Bytes> field(bytes, event.begin, event.size);
  while (field.next()) {
    if (!field.is_bytes(1)) continue;
    read_value(bytes, field.begin(), field.size(), &value_);
    if (value_.kind == ValueKind::kNone && value_.metadata.empty()) continue;
    Series& series = series_of(value_);
    if (goes_back) purge(event.step, series);
    if (series.is_scalar()) {
      std::optional<double> number;
      if (value_.kind == ValueKind::kScalar) number = value_.number;
      if (value_.kind == ValueKind::kTensor)
        number = tensor_facts(bytes, value_.begin, value_.size).number;
      if (number) series.scalars.push_back(event.step, event.wall_time, *number);
      continue;
    }
    if (value_.kind == ValueKind::kNone || value_.kind == ValueKind::kScalar) continue;
    std::uint64_t samples = 1;
    if (value_.kind == ValueKind::kTensor &&
        (series.metadata.plugin == "images" || series.metadata.plugin == "audio")) {
      const TensorFacts facts = tensor_facts(bytes, value_.begin, value_.size);
      const bool is_images = series.metadata.plugin == "images";
      samples = is_images ? (facts.strings > 2 ? facts.strings - 2 : 0)
                          : std::min(facts.strings, facts.first_dimension);
    }
    series.samples = std::max(series.samples, samples);
    series.stored.push_back({.step = event.step,
                             .wall_time = event.wall_time,
                             .offset = at + value_.begin,
                             .size = value_.size,
                             .file = file,
                             .kind = value_.kind});
  }
}

// The same as take_event for an event that is nothing but the next number of a known tag.
bool Run::take_plain_scalar(std::string_view record) {
  PlainScalar scalar;
  if (version_ < 2 || !read_plain_scalar(record, &scalar)) return false;
  Series* const series = known_series(scalar.tag);
  if (series == nullptr || !series->is_scalar()) return false;
  ++contents_.events;
  latest_step_ = scalar.step;
  series->scalars.push_back(scalar.step, scalar.wall_time, scalar.number);
  return true;
}

Series* Run::known_series(std::string_view tag) {
  if (!order_.empty()) {
    if (next_in_order_ == order_.size()) next_in_order_ = 0;
    const auto& [next_tag, series] = order_[next_in_order_];
    if (next_tag == tag) {
      ++next_in_order_;
      return series;
    }
  }
  if (const auto found = by_tag_.find(tag); found != by_tag_.end()) {
    next_in_order_ = found->second + 1;
    return order_[found->second].second;
  }
  return nullptr;
}

Series& Run::series_of(const ValueFacts& value) {
  if (Series* const known = known_series(value.tag)) return *known;
  const auto [place, is_new] = contents_.series.try_emplace(std::string(value.tag));
  Series& series = place->second;
  series.metadata = read_metadata(value.metadata);
  // What writers of before plugins wrote belongs to the plugin that came for it.
  if (const std::string_view plugin = plugin_of(value.kind); !plugin.empty())
    series.metadata.plugin = plugin;
  by_tag_.emplace(place->first, order_.size());
  order_.emplace_back(place->first, &series);
  next_in_order_ = order_.size();
  return series;
}

void Run::purge(std::int64_t from, Series& series) {
  series.scalars.purge_from(from);
  std::erase_if(series.stored, [&](const StoredValue& value) { return value.step >= from; });
}

void Run::purge_all(std::int64_t from) {
  for (auto& [tag, series] : contents_.series) purge(from, series);
}

std::string read_stored(const std::string& path, const StoredValue& value) {
  if (value.size > kMostStored)
    raise(Code::kResourceExhausted, "a value of ", value.size, " bytes in ", path,
          " is too large to be shown");
  const auto file = file_system_of(path).open(path);
  std::string bytes;
  // The file may be shorter by now.
  const std::uint64_t size = file->size();
  if (size < value.offset || size - value.offset < value.size)
    raise(Code::kDataLoss, path, " has become shorter");
  bytes.resize(static_cast<std::size_t>(value.size));
  if (file->read(value.offset, bytes) < bytes.size())
    raise(Code::kDataLoss, path, " has become shorter");
  return bytes;
}

}  // namespace rill::board
