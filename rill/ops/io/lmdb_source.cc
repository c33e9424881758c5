#include <optional>

#include "rill/io/lmdb_reader.h"
#include "rill/ops/io/record_source.h"

namespace rill {
namespace {

class LmdbEntries final : public RecordSource {
 public:
  const char* kind() const override { return "LMDBReader"; }
  void start(const std::string& work) override { reader_.emplace(work); }
  bool read(Record* record, bool* /*last*/) override {
    return reader_->read(&record->key, &record->value);
  }
  void stop() override { reader_.reset(); }

 private:
  std::optional<LmdbReader> reader_;
};

}  // namespace

std::unique_ptr<RecordSource> lmdb_entries() { return std::make_unique<LmdbEntries>(); }

}  // namespace rill
