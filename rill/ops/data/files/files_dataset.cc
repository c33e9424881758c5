#include "rill/ops/data/files/files_dataset.h"

#include "rill/base/file_system.h"

namespace rill {

class FilesDataset::Iterator final : public IteratorOf<FilesDataset> {
 public:
  using IteratorOf::IteratorOf;

  bool produce(Element& element) override {
    const std::vector<std::string>& paths = dataset().paths_;
    for (; file_ < paths.size(); next_file()) {
      try {
        if (source_ == nullptr) source_ = dataset().open_(paths[file_]);
        if (source_->read(element)) return true;
      } catch (const Error&) {
        if (source_ == nullptr || !source_->survives_errors()) next_file();
        throw;
      }
    }
    return false;
  }
  // Files of this machine come soon.
  bool would_wait() const override {
    return file_ < dataset().paths_.size() &&
           scheme_of(dataset().paths_[file_]).starts_with("http");
  }
  void save_stage(StateWriter& state) const override {
    state.put("file", static_cast<std::int64_t>(file_));
    state.put("open", std::int64_t{source_ != nullptr});
    if (source_ != nullptr) state.put("at", static_cast<std::int64_t>(source_->position()));
  }
  void restore_stage(const StateReader& state) override {
    file_ = static_cast<std::size_t>(state.integer("file"));
    source_.reset();
    if (state.integer("open") == 0 || file_ >= dataset().paths_.size()) return;
    source_ = dataset().open_(dataset().paths_[file_]);
    source_->seek(static_cast<std::uint64_t>(state.integer("at")));
  }

 private:
  void next_file() {
    source_.reset();
    ++file_;
  }

  std::size_t file_ = 0;
  std::unique_ptr<FileSource> source_;  // of this file, once it is open
};

std::unique_ptr<DataIterator> FilesDataset::iterate(const PipelineRef& pipeline) const {
  return std::make_unique<Iterator>(*this, pipeline);
}

ElementSpec string_spec() { return {{DType::string}, {PartialShape::scalar()}}; }

void give_string(std::string text, Element& element) {
  element.clear();
  element.emplace_back(DType::string, Shape());
  *element.back().data<std::string>() = std::move(text);
}

std::vector<std::string> strings_input(const KernelCall& call, int i, const char* name) {
  const Tensor& input = call.input_tensor(i);
  require(input.rank() <= 1, "`", name, "` must be a scalar or a vector.");
  const std::span<const std::string> texts = input.flat<std::string>();
  return {texts.begin(), texts.end()};
}

Compression compression_input(const KernelCall& call, int i) {
  const auto& name = scalar_input<std::string>(call, i, "compression_type");
  require(name.empty() || name == "ZLIB" || name == "GZIP", "Unsupported compression_type.");
  return compression_named(name);
}

std::size_t buffer_size_input(const KernelCall& call, int i, const char* error) {
  constexpr std::int64_t kDefault = std::int64_t{256} << 10, kMax = std::int64_t{64} << 20;
  const auto size = scalar_input<std::int64_t>(call, i, "buffer_size");
  require(size >= 0, error);
  return static_cast<std::size_t>(size == 0 ? kDefault : std::min(size, kMax));
}

std::unique_ptr<InputStream> open_stream(const std::string& path, Compression compression,
                                         std::size_t buffer_size) {
  auto file = std::make_unique<FileInput>(file_system_of(path).open(path), buffer_size);
  return unpacked(std::move(file), compression, {.buffer_size = buffer_size});
}

}  // namespace rill
