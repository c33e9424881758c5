#include "rill/io/lmdb_reader.h"
#include "rill/ops/data/files/files_dataset.h"

namespace rill {

extern const OpDecl kLMDBDataset, kExperimentalLMDBDataset;

namespace {

class LmdbSource final : public FileSource {
 public:
  explicit LmdbSource(const std::string& path) : path_(path), reader_(new_reader()) {}
  bool read(Element& element) override {
    element.clear();
    for (int i = 0; i < 2; ++i) element.emplace_back(DType::string, Shape());
    if (!reader_->read(element[0].data<std::string>(), element[1].data<std::string>()))
      return false;
    ++entry_;
    return true;
  }
  std::uint64_t position() const override { return entry_; }
  void seek(std::uint64_t position) override {
    reader_ = new_reader();
    std::string key, value;
    for (entry_ = 0; entry_ < position; ++entry_)
      if (!reader_->read(&key, &value)) break;
  }

 private:
  std::unique_ptr<LmdbReader> new_reader() const { return std::make_unique<LmdbReader>(path_); }

  const std::string path_;
  std::unique_ptr<LmdbReader> reader_;
  std::uint64_t entry_ = 0;
};

std::shared_ptr<Dataset> lmdb_dataset(KernelCall& call) {
  ElementSpec spec = stated_spec(call.node());
  require(spec.types == std::vector<DType>(2, DType::string),
          "the entries of a database have two components, key and value, both of type string");
  return std::make_shared<FilesDataset>(
      std::move(spec), strings_input(call, 0, "filenames"),
      [](const std::string& path) { return std::make_unique<LmdbSource>(path); });
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<lmdb_dataset>(kLMDBDataset),
    dataset_kernel<lmdb_dataset>(kExperimentalLMDBDataset),
};

}  // namespace

extern const KernelTable kLmdbDatasetCpu{kEntries};

}  // namespace rill
