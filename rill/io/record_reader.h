#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rill/io/zlib_stream.h"

namespace rill {

struct RecordReaderOptions {
  Compression compression = Compression::none;
  std::size_t buffer_size = std::size_t{256} << 10;
  ZlibOptions zlib;
};

// The records of a TFRecord file, in order. Not safe from several threads.
class RecordReader {
 public:
  explicit RecordReader(const std::string& path, const RecordReaderOptions& options = {});
  RecordReader(std::unique_ptr<ReadableFile> file, const RecordReaderOptions& options = {});

  // The next record, or false at the end of the file. Throws DataLoss ("truncated record at ...",
  // "corrupted record at ...") with file and offset. Whatever happens but success, the next call
  // tries the same place again: a file may still be growing. A record takes no more memory than
  // twice what the file holds of it, whatever length it claims.
  bool read(std::string* record);
  bool skip();  // the same without keeping the record; its checksum is verified

  // Where the next record begins, in the unpacked stream; read() goes on at the place sought.
  std::uint64_t offset() const { return offset_; }
  void seek(std::uint64_t offset) { offset_ = offset; }

 private:
  bool read_at_offset(std::string* record);
  [[noreturn]] void data_loss(const char* what, std::uint64_t at) const;

  std::unique_ptr<InputStream> input_;
  std::uint64_t offset_ = 0;
  std::string skipped_;
};

}  // namespace rill
