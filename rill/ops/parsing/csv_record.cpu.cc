#include "rill/ops/parsing/csv_record.h"

#include "rill/base/error.h"

namespace rill {
namespace {

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

// Both return where the next field starts.
std::size_t plain_field(std::string_view record, std::size_t at, const CsvFormat& format,
                        std::vector<CsvField>* fields) {
  const std::size_t start = at;
  while (at < record.size() && !format.ends_plain[static_cast<unsigned char>(record[at])]) ++at;
  require(at == record.size() || record[at] == format.delimiter,
          "Unquoted fields cannot have quotes/CRLFs inside");
  fields->push_back({record.substr(start, at - start)});
  return at + 1;
}

// A quote ends the field before a delimiter or the end of the record; elsewhere it comes in pairs.
std::size_t quoted_field(std::string_view record, std::size_t at, const CsvFormat& format,
                         std::vector<CsvField>* fields) {
  const std::size_t start = at;
  bool has_escapes = false;
  while (true) {
    at = record.find('"', at);
    require(at != std::string_view::npos,
            "Quoted field has to end with quote followed by delim or end");
    if (at + 1 == record.size() || record[at + 1] == format.delimiter) break;
    require(record[at + 1] == '"', "Quote inside a string has to be escaped by another quote");
    has_escapes = true;
    at += 2;
  }
  fields->push_back({record.substr(start, at - start), has_escapes});
  return at + 2;
}

}  // namespace

CsvFormat::CsvFormat(char delimiter, bool use_quotes)
    : delimiter(delimiter), use_quotes(use_quotes), ends_plain{} {
  for (const char c : {delimiter, '\n', '\r'}) ends_plain[static_cast<unsigned char>(c)] = true;
  if (use_quotes) ends_plain[static_cast<unsigned char>('"')] = true;
}

void split_record(std::string_view record, const CsvFormat& format, std::vector<CsvField>* fields) {
  fields->clear();
  std::size_t at = 0;
  while (at < record.size()) {
    if (is_line_end(record[at])) {  // before a field they are nothing
      ++at;
    } else if (format.use_quotes && record[at] == '"') {
      at = quoted_field(record, at + 1, format, fields);
    } else {
      at = plain_field(record, at, format, fields);
    }
  }
  if (!record.empty() && record.back() == format.delimiter) fields->push_back({});
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result.push_back(text[i]);
    if (text[i] == '"') ++i;
  }
  return result;
}

}  // namespace rill
