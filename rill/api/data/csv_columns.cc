#include "rill/api/data/csv_columns.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "rill/api/io/gfile.h"
#include "rill/base/error.h"
#include "rill/io/zlib_stream.h"

namespace rill::data::experimental {
namespace {

// The lines of a packed file with their ends; an empty one at the end of the file.
class PackedLines {
 public:
  explicit PackedLines(const std::string& path)
      : bytes_(unpacked(std::make_unique<FileInput>(file_system_of(path).open(path), kBufferSize),
                        Compression::gzip)) {}

  std::string readline() {
    for (std::size_t end = 0;;) {
      end = read_.find('\n', begin_);
      if (end == std::string::npos && fill()) continue;
      const std::string line = read_.substr(begin_, end - begin_ + (end != std::string::npos));
      begin_ += line.size();
      return line;
    }
  }

 private:
  static constexpr std::size_t kBufferSize = std::size_t{64} << 10;

  bool fill() {
    read_.erase(0, std::exchange(begin_, 0));
    const std::size_t size = read_.size();
    read_.resize(size + kBufferSize);
    read_.resize(size + bytes_->read(std::span(read_).subspan(size)));
    return read_.size() > size;
  }

  std::unique_ptr<InputStream> bytes_;
  std::string read_;
  std::size_t begin_ = 0;  // of the next line in read_
};

std::function<std::string()> line_reader(const std::string& path, const std::string& compression) {
  if (compression == "GZIP")
    return [lines = std::make_shared<PackedLines>(path)] { return lines->readline(); };
  require(compression.empty(), "compression_type (", compression,
          ") is not supported for probing columns");
  return [file = std::make_shared<gfile::GFile>(path)] { return file->readline(); };
}

// The rows of one file, one after the other.
class CsvRows {
 public:
  CsvRows(const std::string& file, const CsvFormat& format)
      : readline_(line_reader(file, format.compression)), format_(format) {
    require(format.field_delim.size() == 1, "field_delim should be only 1 char");
  }

  std::optional<std::vector<std::string>> next() {
    std::string line = readline_();
    if (line.empty()) return {};
    while (format_.quotes && std::ranges::count(line, '"') % 2 != 0) {
      const std::string more = readline_();
      if (more.empty()) break;
      line += more;
    }
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    return fields(line);
  }

 private:
  std::vector<std::string> fields(const std::string& line) const {
    std::vector<std::string> result(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (format_.quotes && c == '"') {
        if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
          result.back() += line[++i];
        } else {
          quoted = !quoted;
        }
      } else if (c == format_.field_delim[0] && !quoted) {
        result.emplace_back();
      } else {
        result.back() += c;
      }
    }
    return result;
  }

  std::function<std::string()> readline_;
  const CsvFormat& format_;
};

// The number that all of `text` is; none where it is something else.
std::optional<double> number_in(const std::string& text) {
  if (text.empty() || text.find_first_of("xXpP") != std::string::npos) return {};
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  while (std::isspace(static_cast<unsigned char>(*end)) != 0) ++end;
  if (*end != 0) return {};
  return value;
}

bool is_whole_number(const std::string& text, double limit) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  if (text.size() == sign ||
      !std::all_of(text.begin() + static_cast<long>(sign), text.end(), is_digit))
    return false;
  const double value = *number_in(text);
  return value >= -limit && value < limit;
}

constexpr DType kTypes[] = {DType::i32, DType::i64, DType::f32, DType::f64, DType::string};

bool fits(const std::string& text, DType type) {
  const std::optional<double> number = number_in(text);
  switch (type) {
    case DType::i32:
      return is_whole_number(text, 0x1p31);
    case DType::i64:
      return is_whole_number(text, 0x1p63);
    case DType::f32:
      return number && *number < std::numeric_limits<float>::max();
    case DType::f64:
      return number && *number < std::numeric_limits<double>::max();
    default:
      return true;
  }
}

// The narrowest type from `so_far` on that holds the text.
DType widened(DType so_far, const std::string& text, const std::string& na_value) {
  if (text.empty() || text == na_value) return so_far;
  auto type = std::ranges::find(kTypes, so_far == DType::invalid ? DType::i32 : so_far);
  while (!fits(text, *type)) ++type;
  return *type;
}

}  // namespace

std::vector<std::string> matching_files(const std::vector<std::string>& patterns) {
  require(!patterns.empty(), "File pattern is empty.");
  std::vector<std::string> files;
  for (const std::string& pattern : patterns) {
    const std::vector<std::string> found = gfile::Glob(pattern);
    files.insert(files.end(), found.begin(), found.end());
  }
  std::string shown;
  for (const std::string& pattern : patterns) shown += (shown.empty() ? "" : ", ") + pattern;
  require(!files.empty(), "No files match ", shown, ".");
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> csv_column_names(const std::vector<std::string>& files,
                                          const CsvFormat& format) {
  std::optional<std::vector<std::string>> names;
  for (const std::string& file : files) {
    auto row = CsvRows(file, format).next();
    require(row.has_value(), "Received StopIteration when reading the header line of ", file,
            ".  Empty file?");
    require(!names || *names == *row, "Files have different column names in the header row.");
    names = std::move(row);
  }
  return names.value_or(std::vector<std::string>{});
}

std::vector<DType> csv_column_types(const std::vector<std::string>& files, std::size_t column_count,
                                    const CsvFormat& format,
                                    const std::vector<std::int64_t>& columns) {
  std::vector<std::int64_t> chosen = columns;
  for (std::size_t i = 0; columns.empty() && i < column_count; ++i)
    chosen.push_back(static_cast<std::int64_t>(i));
  std::vector<DType> types(chosen.size(), DType::invalid);
  std::int64_t rows = 0;
  for (const std::string& file : files) {
    CsvRows reader(file, format);
    if (format.header) reader.next();
    while (!format.row_count || rows < *format.row_count) {
      const auto row = reader.next();
      if (!row) break;
      ++rows;
      require(row->size() == column_count,
              "Problem inferring types: CSV row has different number of fields than expected.");
      for (std::size_t i = 0; i < chosen.size(); ++i)
        types[i] = widened(types[i], row->at(static_cast<std::size_t>(chosen[i])), format.na_value);
    }
  }
  std::ranges::replace(types, DType::invalid, DType::string);
  return types;
}

}  // namespace rill::data::experimental
