// Any bytes as a record of comma-separated values, with quotes and without.
#include <cstdint>

#include "rill/base/error.h"
#include "rill/ops/parsing/csv_record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view record(reinterpret_cast<const char*>(data), size);
  std::vector<rill::CsvField> fields;
  for (const bool quotes : {true, false}) {
    const rill::CsvFormat format(',', quotes);
    try {
      rill::split_record(record, format, &fields);
      for (const rill::CsvField& field : fields)
        if (field.has_escapes) (void)rill::unescaped(field.text);
    } catch (const rill::Error&) {
    }
  }
  return 0;
}
