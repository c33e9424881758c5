#pragma once

#include "rill/ops/data/files/files_dataset.h"
#include "rill/ops/data/files/stream_text.h"
#include "rill/ops/parsing/csv_record.h"

namespace rill {

struct CsvOptions {
  Compression compression = Compression::none;
  std::size_t buffer_size = 0;
  bool header = false;  // the first record of each file says nothing
  char delimiter = ',';
  bool use_quotes = true;
  std::string na_value;
  std::vector<std::int64_t> columns;  // which ones are wanted, in order; empty: all
  std::vector<Tensor> defaults;       // of the wanted columns; without an element: must be there
};

// The records of a CSV file; fields in quotes may reach over several lines. A record that is wrong
// costs an error, no more.
class CsvSource final : public FileSource {
 public:
  CsvSource(const std::string& path, const CsvOptions& options);
  bool read(Element& element) override;
  std::uint64_t position() const override { return text_.position(); }
  void seek(std::uint64_t position) override;
  bool survives_errors() const override { return true; }

 private:
  class Record;
  bool read_record(Record& record);
  bool read_plain(Record& record);  // these two: whether the record goes on behind the field
  bool read_quoted(Record& record);
  bool end_of_field(std::size_t at);

  const CsvOptions options_;
  const CsvFormat format_;
  StreamText text_;
  bool header_passed_ = false;
};

}  // namespace rill
