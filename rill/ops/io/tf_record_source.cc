#include <optional>

#include "rill/base/error.h"
#include "rill/io/record_reader.h"
#include "rill/ops/io/record_source.h"

namespace rill {
namespace {

class TfRecords final : public RecordSource {
 public:
  explicit TfRecords(Compression compression) : compression_(compression) {}
  const char* kind() const override { return "TFRecordReader"; }

  void start(const std::string& work) override {
    reader_.emplace(work, RecordReaderOptions{.compression = compression_});
    work_ = work;
  }
  bool read(Record* record, bool* /*last*/) override {
    const std::uint64_t offset = reader_->offset();
    if (!reader_->read(&record->value)) return false;
    record->key = str_cat(work_, ":", offset);
    return true;
  }
  void stop() override { reader_.reset(); }

 private:
  const Compression compression_;
  std::optional<RecordReader> reader_;
  std::string work_;
};

}  // namespace

std::unique_ptr<RecordSource> tf_records(const std::string& compression) {
  return std::make_unique<TfRecords>(compression_named(compression));
}

}  // namespace rill
