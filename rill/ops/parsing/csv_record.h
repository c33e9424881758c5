#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace rill {

// How the fields of a record are told apart.
struct CsvFormat {
  CsvFormat(char delimiter, bool use_quotes);

  char delimiter;
  bool use_quotes;
  std::array<bool, 256> ends_plain;  // the characters that end a field without quotes, or spoil it
};

// A field as it stands in its record; between quotes, two of them stand for one.
struct CsvField {
  std::string_view text;
  bool has_escapes = false;
};

// Replaces `fields` by those of the record. Throws InvalidArgument for quotes and line ends where
// they may not be.
void split_record(std::string_view record, const CsvFormat& format, std::vector<CsvField>* fields);

// The text of a field with escapes resolved.
std::string unescaped(std::string_view text);

}  // namespace rill
