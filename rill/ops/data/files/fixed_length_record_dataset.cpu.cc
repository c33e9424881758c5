#include "rill/ops/data/files/files_dataset.h"
#include "rill/ops/data/files/stream_text.h"

namespace rill {

extern const OpDecl kFixedLengthRecordDataset, kFixedLengthRecordDatasetV2;

namespace {

struct RecordLayout {
  std::uint64_t header, record, footer;
  Compression compression;
  std::size_t buffer_size;
};

// Behind the last whole record there must be exactly the footer.
class FixedLengthRecordSource final : public FileSource {
 public:
  FixedLengthRecordSource(const std::string& path, const RecordLayout& layout)
      : path_(path),
        layout_(layout),
        text_(open_stream(path, layout.compression, layout.buffer_size)) {
    if (layout_.compression == Compression::none)
      check_body(file_system_of(path).facts(path).size, Code::kInvalidArgument);
  }
  bool read(Element& element) override {
    if (text_.position() == 0) pass_header();
    const std::uint64_t wanted = layout_.record + layout_.footer;
    while (text_.rest().size() < wanted)
      if (!text_.more()) break;
    const std::string_view rest = text_.rest();
    if (rest.size() < wanted) {
      if (rest.size() != layout_.footer)
        check_body(text_.position() + rest.size(), Code::kDataLoss);
      return false;
    }
    give_string(std::string(rest.substr(0, layout_.record)), element);
    text_.pass(layout_.record);
    return true;
  }
  std::uint64_t position() const override { return text_.position(); }
  void seek(std::uint64_t position) override { text_.seek(position); }

 private:
  void pass_header() {
    while (text_.rest().size() < layout_.header)
      if (!text_.more()) check_body(text_.rest().size(), Code::kDataLoss);
    text_.pass(layout_.header);
  }
  void check_body(std::uint64_t file_size, Code code) const {
    const auto body = static_cast<__int128>(file_size) - layout_.header - layout_.footer;
    if (body >= 0 && body % layout_.record == 0) return;
    raise(code, "Excluding the header (", layout_.header, " bytes) and footer (", layout_.footer,
          " bytes), input file \"", path_, "\" has body length ", static_cast<std::int64_t>(body),
          " bytes, which is not an exact multiple of the record length (", layout_.record,
          " bytes).");
  }

  const std::string path_;
  const RecordLayout layout_;
  StreamText text_;
};

std::uint64_t bytes_input(const KernelCall& call, int i, std::int64_t least, const char* error) {
  const auto bytes = scalar_input<std::int64_t>(call, i, "number of bytes");
  require(bytes >= least, error);
  require(bytes <= std::int64_t{1} << 40, "a part of a file has ", bytes, " bytes");
  return static_cast<std::uint64_t>(bytes);
}

std::shared_ptr<Dataset> fixed_dataset(KernelCall& call, Compression compression) {
  const RecordLayout layout{
      .header = bytes_input(call, 1, 0, "`header_bytes` must be >= 0"),
      .record = bytes_input(call, 2, 1, "`record_bytes` must be > 0"),
      .footer = bytes_input(call, 3, 0, "`footer_bytes` must be >= 0"),
      .compression = compression,
      .buffer_size = buffer_size_input(call, 4, "`buffer_size` must be >= 0")};
  return std::make_shared<FilesDataset>(
      string_spec(), strings_input(call, 0, "filenames"), [layout](const std::string& path) {
        return std::make_unique<FixedLengthRecordSource>(path, layout);
      });
}

std::shared_ptr<Dataset> fixed_dataset_v1(KernelCall& call) {
  return fixed_dataset(call, Compression::none);
}

std::shared_ptr<Dataset> fixed_dataset_v2(KernelCall& call) {
  return fixed_dataset(call, compression_input(call, 5));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<fixed_dataset_v1>(kFixedLengthRecordDataset),
    dataset_kernel<fixed_dataset_v2>(kFixedLengthRecordDatasetV2),
};

}  // namespace

extern const KernelTable kFixedLengthRecordDatasetCpu{kEntries};

}  // namespace rill
