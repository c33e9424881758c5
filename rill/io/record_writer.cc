#include "rill/io/record_writer.h"

#include "rill/base/crc32c.h"
#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/io/coding.h"
#include "rill/io/record_format.h"

namespace rill {

RecordWriter::RecordWriter(const std::string& path, const RecordWriterOptions& options)
    : file_(packed(file_system_of(path).create(path, options.mode), options.compression,
                   options.zlib)) {}

RecordWriter::~RecordWriter() = default;  // the file closes itself

WritableFile& RecordWriter::file() {
  if (file_ == nullptr)
    raise(Code::kFailedPrecondition, "Writer not initialized or previously closed");
  return *file_;
}

void RecordWriter::write(std::string_view record) {
  char header[kRecordHeader], footer[kRecordFooter];
  store_fixed<std::uint64_t>(record.size(), header);
  store_fixed(mask_crc(crc32c({header, 8})), header + 8);
  store_fixed(mask_crc(crc32c(record)), footer);
  file().append({header, sizeof header});
  file().append(record);
  file().append({footer, sizeof footer});
}

void RecordWriter::flush() { file().flush(); }
void RecordWriter::sync() { sync_written(file()); }

void RecordWriter::close() {
  if (file_ == nullptr) return;
  const auto file = std::move(file_);
  file->close();
  sync_file(file->path());  // afterwards: what is packed gets its last bytes when it is closed
  sync_parent(file->path());
}

}  // namespace rill
