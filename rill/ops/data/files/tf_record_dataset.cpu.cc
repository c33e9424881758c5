#include "rill/io/record_reader.h"
#include "rill/ops/data/files/files_dataset.h"

namespace rill {

extern const OpDecl kTFRecordDataset;

namespace {

class TfRecordSource final : public FileSource {
 public:
  TfRecordSource(const std::string& path, const RecordReaderOptions& options)
      : reader_(path, options) {}
  // The record is read into its place.
  bool read(Element& element) override {
    element.clear();
    element.emplace_back(DType::string, Shape());
    return reader_.read(element.back().data<std::string>());
  }
  std::uint64_t position() const override { return reader_.offset(); }
  void seek(std::uint64_t position) override { reader_.seek(position); }

 private:
  RecordReader reader_;
};

std::shared_ptr<Dataset> tf_record_dataset(KernelCall& call) {
  const std::size_t size =
      buffer_size_input(call, 2, "`buffer_size` must be >= 0 (0 == no buffering)");
  const RecordReaderOptions options{
      .compression = compression_named(scalar_input<std::string>(call, 1, "compression_type")),
      .buffer_size = size,
      .zlib = {.buffer_size = size}};
  return std::make_shared<FilesDataset>(string_spec(), strings_input(call, 0, "filenames"),
                                        [options](const std::string& path) {
                                          return std::make_unique<TfRecordSource>(path, options);
                                        });
}

constexpr KernelEntry kEntries[] = {dataset_kernel<tf_record_dataset>(kTFRecordDataset)};

}  // namespace

extern const KernelTable kTfRecordDatasetCpu{kEntries};

}  // namespace rill
