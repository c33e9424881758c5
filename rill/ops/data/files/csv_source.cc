#include "rill/ops/data/files/csv_source.h"

#include "rill/ops/string/number_text.h"

namespace rill {

// A record as it comes together. The first thing that is wrong with it is told when it has ended.
class CsvSource::Record {
 public:
  Record(const CsvOptions& options, Element* element) : options_(options), element_(element) {}

  void add(std::string_view field) {
    const std::int64_t number = fields_++;
    if (element_ == nullptr || !is_wanted(number)) return;
    const std::size_t place = element_->size();
    const std::size_t wanted = options_.defaults.size();
    if (place >= wanted) return fail(str_cat("Expect ", wanted, " fields but have more in record"));
    if (field.empty() || field == options_.na_value) return add_default(place);
    Tensor value(options_.defaults[place].dtype(), Shape());
    if (!parse(field, value))
      return fail(
          str_cat("Field ", place, " in record is not a valid ", value.dtype(), ": ", field));
    element_->push_back(std::move(value));
  }
  void fail(std::string why) {
    if (error_.empty()) error_ = std::move(why);
  }
  // Throws what was found to be wrong.
  void check() const {
    require(error_.empty(), error_);
    const std::size_t wanted = options_.defaults.size();
    require(element_ == nullptr || element_->size() == wanted, "Expect ", wanted,
            " fields but have ", element_ == nullptr ? 0 : element_->size(), " in record");
  }

 private:
  bool is_wanted(std::int64_t number) {
    if (options_.columns.empty()) return true;
    if (next_column_ == options_.columns.size() || options_.columns[next_column_] != number)
      return false;
    ++next_column_;
    return true;
  }
  void add_default(std::size_t place) {
    const Tensor& value = options_.defaults[place];
    if (value.element_count() == 0)
      return fail(str_cat("Field ", place, " is required but missing in record!"));
    element_->push_back(value.reshaped(Shape()));
  }
  template <class T>
  static bool parse_as(std::string_view field, const Tensor& value) {
    return read_number(field, value.data<T>());
  }
  static bool parse(std::string_view field, const Tensor& value) {
    switch (value.dtype()) {
      case DType::i32:
        return parse_as<std::int32_t>(field, value);
      case DType::i64:
        return parse_as<std::int64_t>(field, value);
      case DType::f32:
        return parse_as<float>(field, value);
      case DType::f64:
        return parse_as<double>(field, value);
      default:
        value.data<std::string>()->assign(field);
        return true;
    }
  }

  const CsvOptions& options_;
  Element* const element_;  // nullptr: nobody wants to know
  std::int64_t fields_ = 0;
  std::size_t next_column_ = 0;
  std::string error_;
};

CsvSource::CsvSource(const std::string& path, const CsvOptions& options)
    : options_(options),
      format_(options.delimiter, options.use_quotes),
      text_(open_stream(path, options.compression, options.buffer_size)) {}

void CsvSource::seek(std::uint64_t position) {
  header_passed_ = true;
  text_.seek(position);
}

bool CsvSource::read(Element& element) {
  if (options_.header && !std::exchange(header_passed_, true)) {
    Record header(options_, nullptr);
    require(read_record(header), "Can't read header of file");
  }
  element.clear();
  Record record(options_, &element);
  if (!read_record(record)) return false;
  record.check();
  return true;
}

bool CsvSource::read_record(Record& record) {
  if (text_.rest().empty() && !text_.more()) return false;
  bool goes_on = true;
  while (goes_on) {
    if (text_.rest().empty() && !text_.more()) {  // the file ends with a delimiter
      record.add({});
      break;
    }
    goes_on =
        options_.use_quotes && text_.rest()[0] == '"' ? read_quoted(record) : read_plain(record);
  }
  return true;
}

// Passes the character that ended a field, and what belongs to it; false if it ends the record.
bool CsvSource::end_of_field(std::size_t at) {
  const char end = text_.rest()[at];
  text_.pass(at + 1);
  if (end == options_.delimiter) return true;
  if (end == '\r' && (!text_.rest().empty() || text_.more()) && text_.rest()[0] == '\n')
    text_.pass(1);
  return false;
}

bool CsvSource::read_plain(Record& record) {
  std::size_t at = 0;
  while (true) {
    const std::string_view rest = text_.rest();
    while (at < rest.size() && !format_.ends_plain[static_cast<unsigned char>(rest[at])]) ++at;
    if (at < rest.size() && rest[at] == '"' && options_.use_quotes && options_.delimiter != '"') {
      record.fail("Unquoted fields cannot have quotes inside");
      ++at;
    } else if (at < rest.size()) {
      record.add(rest.substr(0, at));
      return end_of_field(at);
    } else if (!text_.more()) {
      record.add(text_.rest());
      text_.pass(at);
      return false;
    }
  }
}

bool CsvSource::read_quoted(Record& record) {
  bool has_escapes = false, fails = false;
  const auto has = [&](std::size_t at) { return at < text_.rest().size() || text_.more(); };
  const auto add = [&](std::size_t length) {
    const std::string_view field = text_.rest().substr(1, length - 1);
    if (!fails) has_escapes ? record.add(unescaped(field)) : record.add(field);
  };
  for (std::size_t at = 1; has(at); ++at) {
    if (text_.rest()[at] != '"') continue;
    if (!has(at + 1)) {  // the last field of all
      add(at);
      text_.pass(at + 1);
      return false;
    }
    const char next = text_.rest()[at + 1];
    if (next == options_.delimiter || next == '\n' || next == '\r') {
      add(at);
      return end_of_field(at + 1);
    }
    fails |= next != '"';
    if (next != '"') record.fail("Quote inside a string has to be escaped by another quote");
    has_escapes = true;
    ++at;
  }
  text_.pass(text_.rest().size());
  record.fail("Reached end of file without closing quoted field in record");
  return false;
}

}  // namespace rill
