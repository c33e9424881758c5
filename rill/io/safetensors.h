#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rill/base/file_system.h"
#include "rill/io/checkpoint_reader.h"

namespace rill {

// A file of named tensors, as many programs of this field exchange them: the length of a JSON
// header in eight bytes, the header, and the elements of one tensor after the other.
class SafetensorsReader {
 public:
  // Reads and checks the whole header. Throws DataLoss with file and tensor when it is too long or
  // broken, when tensors overlap or leave bytes out, or reach over the end of the file;
  // Unimplemented for element types that exist nowhere else.
  explicit SafetensorsReader(const std::string& path);

  const std::map<std::string, StoredTensor>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  Tensor read(const std::string& name) const;  // throws NotFound

 private:
  void check_places(std::uint64_t data_size) const;
  [[noreturn]] void broken(const std::string& why) const;

  std::unique_ptr<ReadableFile> file_;
  std::uint64_t data_begin_ = 0;
  std::map<std::string, StoredTensor> tensors_;
  std::map<std::string, std::uint64_t> offsets_;  // in the data
  std::map<std::string, std::string> metadata_;
};

// Writes such a file. What it will hold is said first, since the header comes first; then each
// tensor is given once, so that no more than one need be in memory. Nothing has its proper name
// before finish().
class SafetensorsWriter {
 public:
  // Throws InvalidArgument naming a tensor whose elements have no written form here.
  SafetensorsWriter(const std::string& path, const std::map<std::string, StoredTensor>& tensors,
                    const std::map<std::string, std::string>& metadata = {});
  ~SafetensorsWriter();
  SafetensorsWriter(const SafetensorsWriter&) = delete;
  SafetensorsWriter& operator=(const SafetensorsWriter&) = delete;

  const std::vector<std::string>& order() const { return order_; }  // in which they are given
  void add(const Tensor& tensor);  // the next; throws InvalidArgument unless it is as announced
  void finish();                   // once; throws FailedPrecondition while some are missing

 private:
  const std::string path_, temporary_;
  std::unique_ptr<WritableFile> file_;
  std::map<std::string, StoredTensor> tensors_;
  std::vector<std::string> order_;
  std::size_t added_ = 0;
};

// Whether elements of this type can be in such a file.
bool fits_safetensors(DType dtype);

}  // namespace rill
