#include "rill/ops/lookup/vocabulary.h"

#include <charconv>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/io/lines.h"

namespace rill {
namespace {

void check_index(const char* what, std::int64_t index, DType type) {
  const char* name = what[0] == 'K' ? "key" : "value";
  if (index == kLineNumber)
    require(type == DType::i64, what, " index for line number requires table ", name,
            " dtype of int64, got ", type);
  if (index == kWholeLine)
    require(type == DType::string || type == DType::i64, what,
            " index for entire line requires table ", name, " dtype of string, got ", type);
}

// Elements of one type, parsed from text.
class Column {
 public:
  Column(DType type, std::int64_t index) : type_(type), index_(index) {}

  void add(std::string_view line, const std::vector<std::string_view>& fields,
           std::int64_t number) {
    if (index_ == kLineNumber) {
      numbers_.push_back(number);
      return;
    }
    const std::string_view text =
        index_ == kWholeLine ? line : fields[static_cast<std::size_t>(index_)];
    switch (type_) {
      case DType::string:
        texts_.emplace_back(text);
        break;
      case DType::i32:
        numbers_.push_back(parse<std::int32_t>(text, number, "int32"));
        break;
      case DType::i64:
        numbers_.push_back(parse<std::int64_t>(text, number, "int64"));
        break;
      case DType::f32:
        reals_.push_back(parse<float>(text, number, "float"));
        break;
      case DType::f64:
        reals_.push_back(parse<double>(text, number, "double"));
        break;
      default:
        raise(Code::kInvalidArgument, "Data type ", type_, " not supported in a vocabulary.");
    }
  }

  Tensor take() const {
    const auto count =
        static_cast<std::int64_t>(std::max({numbers_.size(), reals_.size(), texts_.size()}));
    Tensor all(type_, {count});
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      switch (type_) {
        case DType::string:
          all.data<std::string>()[i] = texts_[i];
          break;
        case DType::i32:
          all.data<std::int32_t>()[i] = static_cast<std::int32_t>(numbers_[i]);
          break;
        case DType::i64:
          all.data<std::int64_t>()[i] = numbers_[i];
          break;
        case DType::f32:
          all.data<float>()[i] = static_cast<float>(reals_[i]);
          break;
        default:
          all.data<double>()[i] = reals_[i];
      }
    }
    return all;
  }

 private:
  template <class T>
  static T parse(std::string_view text, std::int64_t line, const char* type_name) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    require(error == std::errc() && end == text.data() + text.size(), "Field ", text, " in line ",
            line, " is not a valid ", type_name, ".");
    return value;
  }

  const DType type_;
  const std::int64_t index_;
  std::vector<std::int64_t> numbers_;
  std::vector<double> reals_;
  std::vector<std::string> texts_;
};

}  // namespace

std::pair<Tensor, Tensor> read_vocabulary(const Vocabulary& v) {
  check_index("Key", v.key_index, v.key_type);
  check_index("Value", v.value_index, v.value_type);
  Lines file(v.file);
  const std::int64_t last = std::max(v.key_index, v.value_index);
  Column keys(v.key_type, v.key_index), values(v.value_type, v.value_index);
  std::string line;
  std::int64_t number = 0;
  for (; (v.lines < 0 || number < v.lines) && file.read(&line); ++number) {
    require(!line.empty(), "Invalid content in ", v.file, ": empty line found at position ",
            file.position(), ".");
    std::vector<std::string_view> fields;
    if (last >= 0) {
      fields = split(line, v.delimiter);
      require(static_cast<std::int64_t>(fields.size()) > last, "Invalid number of columns in ",
              v.file, " line ", number, " (", line, ") : expected at least ", last + 1, " got ",
              fields.size());
    }
    keys.add(line, fields, number);
    values.add(line, fields, number);
  }
  if (number == 0) raise(Code::kOutOfRange, "Read no line from ", v.file);
  require(v.lines < 0 || number == v.lines, "Invalid vocab_size in ", v.file, ": expected ",
          v.lines, " but got ", number);
  return {keys.take(), values.take()};
}

}  // namespace rill
