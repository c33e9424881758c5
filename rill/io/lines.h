#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rill/base/file_system.h"

namespace rill {

// The lines of a text file, in order. They end in \n or \r\n, the last one maybe with the file. Not
// safe from several threads.
class Lines {
 public:
  explicit Lines(const std::string& path);

  // The next line without its end; false when there is none. After an error the next call tries
  // the same line again.
  bool read(std::string* line);
  std::uint64_t position() const { return offset_ - (bytes_.size() - begin_); }  // of the next line

 private:
  bool fill();
  void take(std::size_t end, std::string* line) const;

  const std::unique_ptr<ReadableFile> file_;
  std::uint64_t offset_ = 0;  // of what comes behind bytes_
  std::string bytes_;
  std::size_t begin_ = 0;  // of what is not yet given out
};

}  // namespace rill
