#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rill/base/file_system.h"

namespace rill {

// Bytes in order, through a buffer of fixed size. Not safe from several threads.
class InputStream {
 public:
  virtual ~InputStream() = default;
  // Fills `out`; returns fewer bytes than asked only at the end. A file that has grown since can be
  // read on.
  virtual std::size_t read(std::span<char> out) = 0;
  virtual std::uint64_t position() const = 0;  // of the next byte
  virtual void seek(std::uint64_t position) = 0;
  virtual const std::string& path() const = 0;
};

class FileInput final : public InputStream {
 public:
  FileInput(std::unique_ptr<ReadableFile> file, std::size_t buffer_size);  // 0: no buffer
  std::size_t read(std::span<char> out) override;
  std::uint64_t position() const override { return position_; }
  void seek(std::uint64_t position) override { position_ = position; }
  const std::string& path() const override { return file_->path(); }

 private:
  std::unique_ptr<ReadableFile> file_;
  std::vector<char> buffer_;
  std::uint64_t buffer_start_ = 0;  // where in the file the buffer's bytes stand
  std::size_t buffered_ = 0;
  std::uint64_t position_ = 0;
};

}  // namespace rill
