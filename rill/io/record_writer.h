#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rill/io/zlib_stream.h"

namespace rill {

struct RecordWriterOptions {
  Compression compression = Compression::none;
  ZlibOptions zlib;
  WriteMode mode = WriteMode::truncate;
};

// Writes a TFRecord file. Going away closes it. Not safe from several threads.
class RecordWriter {
 public:
  explicit RecordWriter(const std::string& path, const RecordWriterOptions& options = {});
  ~RecordWriter();

  // These throw FailedPrecondition once the writer is closed.
  void write(std::string_view record);
  void flush();  // readers find everything written so far
  void sync();   // also after a crash of the machine
  void close();  // the second call does nothing

 private:
  WritableFile& file();
  std::unique_ptr<WritableFile> file_;
};

}  // namespace rill
