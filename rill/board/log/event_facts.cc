#include "rill/board/log/event_facts.h"

#include "rill/base/text.h"

namespace rill::board {
namespace {

// The first element of what stands in `tensor_content`, by the numbers of DataType.
std::optional<double> content_number(std::uint64_t dtype, std::string_view bytes) {
  const auto number = [&]<class T>(T) -> std::optional<double> {
    if (bytes.size() < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return static_cast<double>(value);
  };
  switch (dtype) {
    case 1:
      return number(float{});
    case 2:
      return number(double{});
    case 3:
      return number(std::int32_t{});
    case 4:
    case 10:
      return number(std::uint8_t{});
    case 5:
      return number(std::int16_t{});
    case 6:
      return number(std::int8_t{});
    case 9:
      return number(std::int64_t{});
    case 17:
      return number(std::uint16_t{});
    case 22:
      return number(std::uint32_t{});
    case 23:
      return number(std::uint64_t{});
    default:
      return std::nullopt;
  }
}

double half_to_double(std::uint32_t bits) {
  const std::uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction ? std::nan("") : HUGE_VAL)
                                  : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
  return bits >> 15 & 1 ? -value : value;
}

// The first element of a field of numbers, packed or not.
template <class Bytes>
std::optional<double> listed_number(Bytes& bytes, const Fields<Bytes>& field, std::uint64_t dtype) {
  std::string_view first;
  std::uint64_t integer = field.integer();
  const bool is_packed = field.is_bytes(field.number());
  if (is_packed) first = bytes.look(field.begin(), std::min<std::uint64_t>(16, field.size()));
  switch (field.number()) {
    case 5:
      if (!is_packed) return field.as_float();
      if (first.size() < 4) return std::nullopt;
      return std::bit_cast<float>(load_fixed<std::uint32_t>(first.data()));
    case 6:
      if (!is_packed) return field.as_double();
      if (first.size() < 8) return std::nullopt;
      return std::bit_cast<double>(load_fixed<std::uint64_t>(first.data()));
    default:
      break;
  }
  if (is_packed && !take_varint(&first, &integer)) return std::nullopt;
  if (field.number() == 13) {
    const auto bits = static_cast<std::uint32_t>(integer);
    return dtype == 14 ? std::bit_cast<float>(bits << 16) : half_to_double(bits);
  }
  if (field.number() == 16 || field.number() == 17) return static_cast<double>(integer);
  return static_cast<double>(static_cast<std::int64_t>(integer));
}

bool lists_numbers(std::uint32_t field) {
  return field == 5 || field == 6 || field == 7 || field == 10 || field == 11 || field == 13 ||
         field == 16 || field == 17;
}

}  // namespace

bool read_plain_scalar(std::string_view record, PlainScalar* scalar) {
  constexpr std::size_t kNumber = 5, kWallTime = 9;  // with their keys
  // A message whose size takes one byte and that reaches to the end.
  const auto opens = [&](char key) {
    if (record.size() < 2 || record[0] != key || (record[1] & 0x80) != 0 ||
        static_cast<std::size_t>(record[1]) != record.size() - 2)
      return false;
    record.remove_prefix(2);
    return true;
  };
  if (record.size() < kWallTime + 2 || record[0] != '\x09') return false;
  std::memcpy(&scalar->wall_time, record.data() + 1, sizeof(double));
  record.remove_prefix(kWallTime);
  std::uint64_t step = 0;
  if (record[0] == '\x10') {
    record.remove_prefix(1);
    if (!take_varint(&record, &step)) return false;
  }
  if (!opens('\x2a') || !opens('\x0a')) return false;
  if (record.size() < 2 || record[0] != '\x0a' || (record[1] & 0x80) != 0) return false;
  const auto size = static_cast<std::size_t>(record[1]);
  if (record.size() != 2 + size + kNumber || record[2 + size] != '\x15') return false;
  scalar->step = static_cast<std::int64_t>(step);
  scalar->tag = record.substr(2, size);
  std::memcpy(&scalar->number, record.data() + 3 + size, sizeof(float));
  return true;
}

template <class Bytes>
TensorFacts tensor_facts(Bytes& bytes, std::uint64_t begin, std::uint64_t size) {
  TensorFacts facts;
  Fields<Bytes> field(bytes, begin, size);
  while (field.next()) {
    if (field.is(1, field.kVarint)) facts.dtype = field.integer();
    if (field.is_bytes(2)) {
      Fields<Bytes> shape(bytes, field.begin(), field.size());
      while (shape.next()) {
        if (!shape.is_bytes(2)) continue;
        Fields<Bytes> dimension(bytes, shape.begin(), shape.size());
        while (dimension.next())
          if (dimension.is(1, dimension.kVarint) && facts.rank == 0)
            facts.first_dimension = dimension.integer();
        ++facts.rank;
      }
    }
    if (field.is_bytes(4) && !facts.number)
      facts.number = content_number(
          facts.dtype, bytes.look(field.begin(), std::min<std::uint64_t>(16, field.size())));
    if (field.is_bytes(8)) ++facts.strings;
    if (lists_numbers(field.number()) && !facts.number)
      facts.number = listed_number(bytes, field, facts.dtype);
  }
  const bool is_number = facts.dtype != 7 && facts.dtype != 0;
  if (is_number && !facts.number && facts.rank == 0) facts.number = 0;  // zeros are left out
  return facts;
}

template TensorFacts tensor_facts(BytesInMemory&, std::uint64_t, std::uint64_t);
template TensorFacts tensor_facts(BytesInFile&, std::uint64_t, std::uint64_t);

SeriesMetadata read_metadata(std::string_view text) {
  SeriesMetadata metadata;
  BytesInMemory bytes(text);
  Fields<BytesInMemory> field(bytes, 0, text.size());
  while (field.next()) {
    if (field.is_bytes(1)) {
      Fields<BytesInMemory> plugin(bytes, field.begin(), field.size());
      while (plugin.next()) {
        if (plugin.is_bytes(1)) metadata.plugin = plugin.text(nullptr);
        if (plugin.is_bytes(2)) metadata.content = plugin.text(nullptr);
      }
    }
    if (field.is_bytes(2)) metadata.display_name = field.text(nullptr);
    if (field.is_bytes(3)) metadata.description = field.text(nullptr);
  }
  return metadata;
}

double event_version(std::string_view text) {
  constexpr std::string_view kStart = "brain.Event:";
  double version = 0;
  if (!text.starts_with(kStart) || !parse_float(text.substr(kStart.size()), &version)) return 0;
  return version;
}

}  // namespace rill::board
