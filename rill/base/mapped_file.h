#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace rill {

// The bytes of a file as read-only memory, shared with everybody who maps it.
class MappedFile {
 public:
  // Throws NotFound, PermissionDenied or another error that names the file; it must be a regular
  // file.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  const void* data() const { return data_; }  // aligned to a page; nullptr for an empty file
  std::size_t size() const { return size_; }

 private:
  MappedFile(void* data, std::size_t size) : data_(data), size_(size) {}
  void* data_;
  std::size_t size_;
};

}  // namespace rill
