#include "rill/io/record_reader.h"

#include <algorithm>
#include <limits>

#include "rill/base/crc32c.h"
#include "rill/base/error.h"
#include "rill/io/coding.h"
#include "rill/io/record_format.h"

namespace rill {
namespace {

constexpr std::uint64_t kFirstReadSize = std::uint64_t{1} << 20;

// Reads `length` bytes; false when there are not so many. A long record is believed piece by piece:
// never more is asked for than has come already.
bool read_data(InputStream& input, std::uint64_t length, std::string* data) {
  data->clear();
  while (data->size() < length) {
    const std::size_t have = data->size();
    const auto count = static_cast<std::size_t>(
        std::min(length - have, std::max<std::uint64_t>(kFirstReadSize, have)));
    data->resize(have + count);
    if (input.read({data->data() + have, count}) < count) return false;
  }
  return true;
}

}  // namespace

RecordReader::RecordReader(const std::string& path, const RecordReaderOptions& options)
    : RecordReader(file_system_of(path).open(path), options) {}

RecordReader::RecordReader(std::unique_ptr<ReadableFile> file, const RecordReaderOptions& options)
    : input_(unpacked(std::make_unique<FileInput>(std::move(file), options.buffer_size),
                      options.compression, options.zlib)) {}

void RecordReader::data_loss(const char* what, std::uint64_t at) const {
  raise(Code::kDataLoss, what, " record at ", at, " in ", input_->path());
}

bool RecordReader::read(std::string* record) {
  if (input_->position() != offset_) input_->seek(offset_);
  const bool found = read_at_offset(record);
  if (found) offset_ += kRecordOverhead + record->size();
  return found;
}

bool RecordReader::skip() { return read(&skipped_); }

bool RecordReader::read_at_offset(std::string* record) {
  char header[kRecordHeader];
  const std::size_t got = input_->read(header);
  if (got == 0) return false;
  if (got < sizeof header) data_loss("truncated", offset_);
  const auto length = load_fixed<std::uint64_t>(header);
  if (load_fixed<std::uint32_t>(header + 8) != mask_crc(crc32c({header, 8})))
    data_loss("corrupted", offset_);
  if (length >= std::numeric_limits<std::size_t>::max() - kRecordFooter)
    raise(Code::kDataLoss, "record size too large: ", length, " at ", offset_, " in ",
          input_->path());
  char footer[kRecordFooter];
  if (!read_data(*input_, length, record) || input_->read(footer) < sizeof footer)
    data_loss("truncated", offset_);
  if (load_fixed<std::uint32_t>(footer) != mask_crc(crc32c(*record)))
    data_loss("corrupted", offset_ + kRecordHeader);
  return true;
}

}  // namespace rill
