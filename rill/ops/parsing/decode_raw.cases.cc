#include "rill/ops/parsing/example_bytes.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr DType kRawTypes[] = {DType::f16, DType::f32, DType::f64,  DType::i32,
                               DType::u16, DType::u8,  DType::i16,  DType::i8,
                               DType::i64, DType::c64, DType::c128, DType::boolean};

// Bytes of which every number is finite.
std::string some_bytes(int count, int start) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<char>((start + 7 * i) % 59));
  return bytes;
}

void add_raw(std::vector<OpCase>& rows) {
  for (const DType type : kRawTypes)
    for (const bool little : {true, false}) {
      const std::string ones(32, '\1');
      const bool is_bool = type == DType::boolean;
      rows.push_back(
          {.op = "DecodeRaw",
           .in = {byte_tensor({2}, {is_bool ? ones : some_bytes(32, 3),
                                    is_bool ? std::string(32, '\0') : some_bytes(32, 11)})},
           .attrs = {{"out_type", type}, {"little_endian", little}}});
    }
  const AttrMap u8{{"out_type", DType::u8}}, i16{{"out_type", DType::i16}};
  rows.push_back({.op = "DecodeRaw", .in = {byte_tensor({}, {"abc"})}, .attrs = u8});
  rows.push_back({.op = "DecodeRaw", .in = {byte_tensor({2, 1}, {"", ""})}, .attrs = i16});
  rows.push_back({.op = "DecodeRaw", .in = {byte_tensor({0}, {})}, .attrs = i16});
  rows.push_back({.op = "DecodeRaw",
                  .in = {byte_tensor({1}, {"abc"})},
                  .attrs = i16,
                  .error = "Input to DecodeRaw has length 3 that is not a multiple of 2, the size "
                           "of int16"});
  rows.push_back({.op = "DecodeRaw",
                  .in = {byte_tensor({2}, {"abc", "d"})},
                  .attrs = u8,
                  .error = "requires input strings to all be the same size, but element 1 has"});
}

void add_padded(std::vector<OpCase>& rows) {
  const auto add = [&](Tensor bytes, Tensor length, DType type, bool little = true,
                       const char* error = "") {
    rows.push_back({.op = "DecodePaddedRaw",
                    .in = {std::move(bytes), std::move(length)},
                    .attrs = {{"out_type", type}, {"little_endian", little}},
                    .error = error});
  };
  const Tensor mixed = byte_tensor({3}, {some_bytes(3, 1), "", some_bytes(40, 5)});
  for (const DType type : kRawTypes) {
    if (type == DType::f16 || type == DType::c64 || type == DType::c128 || type == DType::boolean)
      continue;
    add(mixed, scalar<std::int32_t>(16), type);
    add(mixed, scalar<std::int32_t>(16), type, false);
  }
  // TensorFlow declares half and has no kernel for it.
  rows.push_back(
      {.op = "DecodePaddedRaw",
       .in = {byte_tensor({2}, {std::string("\0\x3c\0\xc0", 4), ""}), scalar<std::int32_t>(6)},
       .attrs = {{"out_type", DType::f16}},
       .want = {values(DType::f16, {2, 3}, {1, -2, 0, 0, 0, 0})}});
  add(byte_tensor({}, {"abc"}), scalar<std::int32_t>(4), DType::u8);
  add(byte_tensor({0, 2}, {}), scalar<std::int32_t>(4), DType::i16);
  add(mixed, scalar<std::int32_t>(3), DType::i16, true, "3");
  add(mixed, scalar<std::int32_t>(0), DType::i16, true,
      "fixed_length \\(0\\) must be greater than zero");
  add(mixed, scalar<std::int32_t>(-4), DType::i16, true, "-4");
  add(mixed, values(DType::i32, {1}, {4}), DType::i16, true, "rank 1");
}

}  // namespace

extern const OpCases kDecodeRawCases{"decode_raw", [] {
                                       std::vector<OpCase> rows;
                                       add_raw(rows);
                                       add_padded(rows);
                                       return rows;
                                     }};

}  // namespace rill
