#include <cstring>

#include "rill/ops/data/files/files_dataset.h"
#include "rill/ops/data/files/stream_text.h"

namespace rill {

extern const OpDecl kTextLineDataset;

namespace {

class TextLineSource final : public FileSource {
 public:
  explicit TextLineSource(std::unique_ptr<InputStream> stream) : text_(std::move(stream)) {}
  bool read(Element& element) override {
    std::size_t searched = 0;
    do {
      const std::string_view rest = text_.rest();
      const void* const end = std::memchr(rest.data() + searched, '\n', rest.size() - searched);
      if (end != nullptr) {
        const auto length = static_cast<std::size_t>(static_cast<const char*>(end) - rest.data());
        give_line(rest.substr(0, length), element);
        text_.pass(length + 1);
        return true;
      }
      searched = rest.size();
    } while (text_.more());
    const std::string_view last = text_.rest();
    if (last.empty()) return false;
    give_line(last, element);
    text_.pass(last.size());
    return true;
  }
  std::uint64_t position() const override { return text_.position(); }
  void seek(std::uint64_t position) override { text_.seek(position); }

 private:
  // Carriage returns are dropped wherever they stand, as in TensorFlow.
  static void give_line(std::string_view line, Element& element) {
    std::string text(line);
    if (std::memchr(line.data(), '\r', line.size()) != nullptr) std::erase(text, '\r');
    give_string(std::move(text), element);
  }

  StreamText text_;
};

std::shared_ptr<Dataset> text_line_dataset(KernelCall& call) {
  const Compression compression = compression_input(call, 1);
  const std::size_t size = buffer_size_input(call, 2, "`buffer_size` must be >= 0 (0 == default)");
  return std::make_shared<FilesDataset>(
      string_spec(), strings_input(call, 0, "filenames"), [=](const std::string& path) {
        return std::make_unique<TextLineSource>(open_stream(path, compression, size));
      });
}

constexpr KernelEntry kEntries[] = {dataset_kernel<text_line_dataset>(kTextLineDataset)};

}  // namespace

extern const KernelTable kTextLineDatasetCpu{kEntries};

}  // namespace rill
