#include "rill/ops/data/files/snapshot_files.h"

#include "rill/base/files.h"
#include "rill/base/hash64.h"
#include "rill/ops/sparse/tensor_bytes.h"

namespace rill {
namespace {

std::string file_path(const std::string& folder, std::int64_t number) {
  const std::string digits = str_cat(number);
  return join_path(folder, str_cat(std::string(8 - std::min<std::size_t>(8, digits.size()), '0'),
                                   digits, ".snapshot"));
}

std::string note_path(const std::string& folder) { return join_path(folder, "snapshot.metadata"); }

std::uint64_t fingerprint_of_input(const Tensor& input) {
  if (holds_dataset(input)) return fingerprint(*dataset_in(input));
  if (input.dtype() == DType::resource) return 0;
  return hash64(to_bytes(input));
}

}  // namespace

std::uint64_t fingerprint(const Dataset& dataset) {
  const DatasetOrigin& origin = dataset.origin();
  std::uint64_t hash = hash64(origin.op);
  for (const auto& [name, value] : origin.attrs)
    hash = hash64_combine(hash, hash64(str_cat(name, "=", to_text(value))));
  for (const Tensor& input : origin.inputs)
    hash = hash64_combine(hash, fingerprint_of_input(input));
  return hash;
}

bool read_note(const std::string& folder, SnapshotNote* note) {
  const std::string path = note_path(folder);
  if (!file_exists(path)) return false;
  const std::string text = read_file(path);
  const std::vector<std::string_view> words = split(strip(text), ' ');
  long long created = 0;
  if (words.size() != 3 || !parse_int(words[1], &created))
    raise(Code::kDataLoss, "the note of a snapshot is broken: ", path);
  *note = {std::string(words[0]), created, words[2] == "finished"};
  return true;
}

void write_note(const std::string& folder, const SnapshotNote& note) {
  write_file(note_path(folder), str_cat(note.run, " ", note.created_micros, " ",
                                        note.finished ? "finished" : "pending", "\n"));
}

void SnapshotWriter::write(const Element& element) {
  if (file_ == nullptr || bytes_ >= bytes_per_file_) {
    finish();
    file_ = std::make_unique<RecordWriter>(file_path(folder_, files_++),
                                           RecordWriterOptions{.compression = compression_});
    bytes_ = 0;
  }
  for (const Tensor& component : element) {
    const std::string bytes = to_bytes(component);
    file_->write(bytes);
    bytes_ += static_cast<std::int64_t>(bytes.size());
  }
}

void SnapshotWriter::finish() {
  if (file_ != nullptr) file_->close();
}

bool SnapshotReader::read(Element& element) {
  std::string bytes;
  while (true) {
    element.clear();
    if (file_ == nullptr) {
      const std::string path = file_path(folder_, files_);
      if (!file_exists(path)) return false;
      file_ =
          std::make_unique<RecordReader>(path, RecordReaderOptions{.compression = compression_});
      ++files_;
    }
    while (element.size() < components_ && file_->read(&bytes))
      element.push_back(from_bytes(bytes, "a component of a snapshot"));
    if (element.size() == components_) return true;
    if (!element.empty())
      raise(Code::kDataLoss, "a snapshot ends within an element: ", file_path(folder_, files_ - 1));
    file_.reset();
  }
}

}  // namespace rill
