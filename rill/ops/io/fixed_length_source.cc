#include <algorithm>
#include <utility>

#include "rill/base/error.h"
#include "rill/io/zlib_stream.h"
#include "rill/ops/io/record_source.h"

namespace rill {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{256} << 10;

// The bytes of a stream with a window on those that are needed at once. The window grows piece by
// piece, so that lengths that no file has take no memory.
class Window {
 public:
  explicit Window(std::unique_ptr<InputStream> input) : input_(std::move(input)) {}

  void skip(std::uint64_t count) { skip_ += count; }
  // Goes over what is to be skipped; false when the stream ends before.
  bool arrive() {
    while (skip_ > ahead()) {
      skip_ -= ahead();
      bytes_.clear();
      begin_ = 0;
      if (!grow(std::min(skip_, kPiece))) return false;
    }
    begin_ += static_cast<std::size_t>(std::exchange(skip_, 0));
    return true;
  }
  // Whether `count` bytes stand from here on; then view() has them.
  bool reach(std::uint64_t count) {
    if (!arrive()) return false;
    if (begin_ > bytes_.size() / 2) {
      bytes_.erase(0, begin_);
      begin_ = 0;
    }
    while (ahead() < count)
      if (!grow(std::min(count - ahead(), kPiece))) return false;
    return true;
  }
  std::string_view view() const { return std::string_view(bytes_).substr(begin_); }

 private:
  std::uint64_t ahead() const { return bytes_.size() - begin_; }
  bool grow(std::uint64_t count) {
    const std::size_t had = bytes_.size();
    bytes_.resize(had + static_cast<std::size_t>(count));
    std::size_t got = 0;
    try {
      got = input_->read({bytes_.data() + had, static_cast<std::size_t>(count)});
    } catch (...) {
      bytes_.resize(had);
      throw;
    }
    bytes_.resize(had + got);
    return got > 0;
  }

  const std::unique_ptr<InputStream> input_;
  std::string bytes_;
  std::size_t begin_ = 0;   // where "here" is
  std::uint64_t skip_ = 0;  // bytes from here on that nobody wants
};

class FixedLengthRecords final : public RecordSource {
 public:
  explicit FixedLengthRecords(const FixedLengths& lengths)
      : header_(static_cast<std::uint64_t>(lengths.header)),
        record_(static_cast<std::uint64_t>(lengths.record)),
        footer_(static_cast<std::uint64_t>(lengths.footer)),
        hop_(lengths.hop == 0 ? record_ : static_cast<std::uint64_t>(lengths.hop)),
        compression_(compression_named(lengths.encoding)) {}
  const char* kind() const override { return "FixedLengthRecordReader"; }

  void start(const std::string& work) override {
    auto file = std::make_unique<FileInput>(file_system_of(work).open(work), kPiece);
    auto window = std::make_unique<Window>(unpacked(std::move(file), compression_));
    window->skip(header_);
    if (!window->arrive())
      raise(Code::kOutOfRange, "reached end of file ", work, " within its header of ", header_,
            " bytes");
    window_ = std::move(window);
    work_ = work;
    count_ = 0;
  }

  bool read(Record* record, bool* /*last*/) override {
    if (!window_->reach(record_ + footer_)) return false;
    record->value = window_->view().substr(0, static_cast<std::size_t>(record_));
    record->key = str_cat(work_, ":", count_++);
    window_->skip(hop_);
    return true;
  }

  void stop() override { window_.reset(); }

 private:
  const std::uint64_t header_, record_, footer_, hop_;
  const Compression compression_;
  std::unique_ptr<Window> window_;
  std::string work_;
  std::int64_t count_ = 0;
};

}  // namespace

std::unique_ptr<RecordSource> fixed_length_records(const FixedLengths& lengths) {
  require(lengths.header >= 0, "header_bytes must be >= 0 not ", lengths.header);
  require(lengths.record >= 0, "record_bytes must be >= 0 not ", lengths.record);
  require(lengths.footer >= 0, "footer_bytes must be >= 0 not ", lengths.footer);
  require(lengths.hop >= 0, "hop_bytes must be >= 0 not ", lengths.hop);
  require(lengths.record > 0 || lengths.hop > 0,
          "record_bytes must be > 0 where hop_bytes is 0: such records would never end");
  return std::make_unique<FixedLengthRecords>(lengths);
}

}  // namespace rill
