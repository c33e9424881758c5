#include <algorithm>
#include <mutex>
#include <optional>
#include <random>

#include "rill/base/files.h"
#include "rill/io/record_reader.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kRecordInput;

namespace {

// Gives out the records of files epoch by epoch. Within one, files come in random order, and each
// record is drawn from a buffer of those that come next. One thread at a time reads; the order
// depends on the seed alone.
class ShuffledRecords final : public KernelState {
 public:
  explicit ShuffledRecords(const KernelNode& node)
      : pattern_(node.attr<std::string>("file_pattern")),
        shift_ratio_(node.attr<float>("file_shuffle_shift_ratio")),
        buffer_size_(std::max<std::int64_t>(1, node.attr<std::int64_t>("file_buffer_size"))),
        random_(static_cast<std::uint64_t>(node.attr<std::int64_t>("file_random_seed"))) {
    options_.compression = compression_named(node.attr<std::string>("compression_type"));
  }
  static std::unique_ptr<KernelState> make(const KernelNode& node) {
    return std::make_unique<ShuffledRecords>(node);
  }

  void fill_batch(std::span<std::string> records) {
    const std::lock_guard lock(mutex_);
    for (std::string& record : records) record = draw();
  }

 private:
  std::string draw() {
    fill();
    if (buffer_.empty()) begin_epoch();
    if (buffer_.empty()) raise(Code::kOutOfRange, "The files at ", pattern_, " hold no records");
    std::swap(buffer_[random_() % buffer_.size()], buffer_.back());
    std::string record = std::move(buffer_.back());
    buffer_.pop_back();
    return record;
  }

  void begin_epoch() {
    files_ = matching_paths(pattern_);
    if (files_.empty()) raise(Code::kNotFound, "Found no files at ", pattern_);
    std::ranges::shuffle(files_, random_);
    const double shift = std::clamp(static_cast<double>(shift_ratio_), 0.0, 1.0);
    const auto by = static_cast<std::ptrdiff_t>(shift * static_cast<double>(files_.size()));
    std::ranges::rotate(files_, files_.begin() + by);
    fill();
  }

  // Reads until the buffer is full or the epoch's files are at their end.
  void fill() {
    while (static_cast<std::int64_t>(buffer_.size()) < buffer_size_) {
      if (!reader_ && files_.empty()) return;
      if (!reader_) {
        reader_.emplace(files_.back(), options_);
        files_.pop_back();
      }
      std::string record;
      if (reader_->read(&record))
        buffer_.push_back(std::move(record));
      else
        reader_.reset();
    }
  }

  const std::string pattern_;
  const float shift_ratio_;
  const std::int64_t buffer_size_;
  RecordReaderOptions options_;
  std::mutex mutex_;
  std::mt19937_64 random_;
  std::vector<std::string> files_;  // still to be read, the next one last
  std::optional<RecordReader> reader_;
  std::vector<std::string> buffer_;
};

void record_input(KernelCall& call) {
  const auto batch_size = call.node().attr<std::int64_t>("batch_size");
  require(batch_size >= 0, "batch_size must not be negative, got ", batch_size);
  const Tensor& batch = call.allocate_output(0, {batch_size});
  call.state<ShuffledRecords>().fill_batch(batch.flat<std::string>());
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRecordInput,
     .run = record_input,
     .make_state = ShuffledRecords::make,
     .allocates = true},
};

}  // namespace

extern const KernelTable kRecordInputCpu{kEntries};

}  // namespace rill
