#include "rill/ops/parsing/feature.h"

#include <bit>
#include <string>

#include "rill/ops/parsing/wire.h"

namespace rill {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are stored");

// Calls packed(bytes) for each packed run of the list and single(reader) for each value that stands
// alone; protocol buffers allow both. False as soon as one of them is.
template <class Packed, class Single>
bool walk_list(std::string_view list, WireType single_type, Packed packed, Single single) {
  WireReader reader(list);
  std::uint32_t tag = 0;
  while (!reader.at_end()) {
    if (!reader.tag(&tag)) return false;
    if (tag == delimited_tag(1)) {
      std::string_view run;
      if (!reader.delimited(&run) || !packed(run)) return false;
    } else if (tag != wire_tag(1, single_type) || !single(reader)) {
      return false;
    }
  }
  return true;
}

WireType single_type(DType type) {
  return type == DType::f32 ? WireType::fixed32 : WireType::varint;
}

// Every number ends with the one byte whose highest bit is clear.
std::int64_t varint_count(std::string_view run) {
  std::int64_t count = 0;
  for (const char byte : run) count += static_cast<signed char>(byte) >= 0;
  return count;
}

bool ends_whole(std::string_view run) {
  return run.empty() || static_cast<signed char>(run.back()) >= 0;
}

bool read_varints(std::string_view run, std::int64_t** dst, const std::int64_t* end) {
  WireReader reader(run);
  while (!reader.at_end()) {
    std::uint64_t value = 0;
    if (*dst == end || !reader.varint(&value)) return false;
    *(*dst)++ = static_cast<std::int64_t>(value);
  }
  return true;
}

bool read_strings(std::string_view list, std::string* dst, const std::string* end) {
  WireReader reader(list);
  while (!reader.at_end()) {
    std::uint32_t tag = 0;
    std::string_view value;
    if (dst == end || !reader.tag(&tag) || tag != delimited_tag(1) || !reader.delimited(&value))
      return false;
    (dst++)->assign(value);
  }
  return dst == end;
}

bool read_floats(std::string_view list, float* dst, const float* end) {
  const bool ok = walk_list(
      list, WireType::fixed32,
      [&](std::string_view run) {
        const std::size_t count = run.size() / sizeof(float);
        if (run.size() % sizeof(float) != 0 || count > static_cast<std::size_t>(end - dst))
          return false;
        if (count > 0) std::memcpy(dst, run.data(), run.size());
        dst += count;
        return true;
      },
      [&](WireReader& reader) { return dst != end && reader.fixed32(dst++); });
  return ok && dst == end;
}

bool read_ints(std::string_view list, std::int64_t* dst, const std::int64_t* end) {
  const bool ok = walk_list(
      list, WireType::varint, [&](std::string_view run) { return read_varints(run, &dst, end); },
      [&](WireReader& reader) {
        std::uint64_t value = 0;
        if (dst == end || !reader.varint(&value)) return false;
        *dst++ = static_cast<std::int64_t>(value);
        return true;
      });
  return ok && dst == end;
}

}  // namespace

bool read_feature(std::string_view bytes, Feature* feature) {
  *feature = {};
  if (bytes.empty()) return true;
  WireReader reader(bytes);
  std::uint32_t tag = 0;
  if (!reader.tag(&tag)) return false;
  switch (tag) {
    case delimited_tag(1):
      feature->type = DType::string;
      break;
    case delimited_tag(2):
      feature->type = DType::f32;
      break;
    case delimited_tag(3):
      feature->type = DType::i64;
      break;
    default:
      raise(Code::kInvalidArgument, "Unsupported datatype.");
  }
  return reader.delimited(&feature->list);
}

std::int64_t value_count(const Feature& feature) {
  std::int64_t count = 0;
  if (feature.type == DType::string) {
    WireReader reader(feature.list);
    std::uint32_t tag = 0;
    std::string_view value;
    for (; !reader.at_end(); ++count)
      if (!reader.tag(&tag) || tag != delimited_tag(1) || !reader.delimited(&value)) return -1;
    return count;
  }
  const bool floats = feature.type == DType::f32;
  const bool ok = walk_list(
      feature.list, single_type(feature.type),
      [&](std::string_view run) {
        count += floats ? static_cast<std::int64_t>(run.size() / sizeof(float)) : varint_count(run);
        return floats ? run.size() % sizeof(float) == 0 : ends_whole(run);
      },
      [&](WireReader& reader) {
        ++count;
        std::uint64_t number = 0;
        return floats ? reader.fixed32(&number) : reader.varint(&number);
      });
  return ok ? count : -1;
}

bool read_values(const Feature& feature, void* dst, std::int64_t count) {
  switch (feature.type) {
    case DType::f32: {
      auto* const to = static_cast<float*>(dst);
      return read_floats(feature.list, to, to + count);
    }
    case DType::i64: {
      auto* const to = static_cast<std::int64_t*>(dst);
      return read_ints(feature.list, to, to + count);
    }
    case DType::string: {
      auto* const to = static_cast<std::string*>(dst);
      return read_strings(feature.list, to, to + count);
    }
    default:
      return count == 0;
  }
}

}  // namespace rill
