#include "rill/base/error.h"
#include "rill/io/lines.h"
#include "rill/ops/io/record_source.h"

namespace rill {
namespace {

class TextLines final : public RecordSource {
 public:
  explicit TextLines(std::int64_t skipped) : skipped_(skipped) {}
  const char* kind() const override { return "TextLineReader"; }

  void start(const std::string& work) override {
    auto lines = std::make_unique<Lines>(work);
    number_ = 0;
    std::string line;
    while (number_ < skipped_ && lines->read(&line)) ++number_;
    lines_ = std::move(lines);
    work_ = work;
  }
  bool read(Record* record, bool* /*last*/) override {
    if (!lines_->read(&record->value)) return false;
    record->key = str_cat(work_, ":", ++number_);
    return true;
  }
  void stop() override { lines_.reset(); }

 private:
  const std::int64_t skipped_;
  std::unique_ptr<Lines> lines_;
  std::string work_;
  std::int64_t number_ = 0;
};

}  // namespace

std::unique_ptr<RecordSource> text_lines(std::int64_t skipped_lines) {
  require(skipped_lines >= 0, "skip_header_lines must be >= 0 not ", skipped_lines);
  return std::make_unique<TextLines>(skipped_lines);
}

}  // namespace rill
