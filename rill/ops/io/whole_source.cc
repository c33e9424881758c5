#include "rill/base/files.h"
#include "rill/ops/io/record_source.h"

namespace rill {
namespace {

// Sources whose works are one record each.
class WholeSource : public RecordSource {
 public:
  void start(const std::string& work) override { work_ = work; }
  bool read(Record* record, bool* last) override {
    record->value = value_of(work_);
    record->key = work_;
    *last = true;
    return true;
  }
  void stop() override { work_.clear(); }
  bool is_whole() const override { return true; }

 private:
  virtual std::string value_of(const std::string& work) const = 0;
  std::string work_;
};

class WholeFiles final : public WholeSource {
  const char* kind() const override { return "WholeFileReader"; }
  std::string value_of(const std::string& work) const override { return read_file(work); }
};

class WorksThemselves final : public WholeSource {
  const char* kind() const override { return "IdentityReader"; }
  std::string value_of(const std::string& work) const override { return work; }
};

}  // namespace

std::unique_ptr<RecordSource> whole_files() { return std::make_unique<WholeFiles>(); }
std::unique_ptr<RecordSource> works_themselves() { return std::make_unique<WorksThemselves>(); }

}  // namespace rill
