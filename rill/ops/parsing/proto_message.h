#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rill/ops/parsing/wire.h"
#include "rill/tensor/dtype.h"

namespace rill {

// How a field is declared; the numbers are those of FieldDescriptorProto.Type.
enum class ProtoKind : std::uint8_t {
  f64 = 1,
  f32 = 2,
  i64 = 3,
  u64 = 4,
  i32 = 5,
  fixed64 = 6,
  fixed32 = 7,
  boolean = 8,
  string = 9,
  group = 10,
  message = 11,
  bytes = 12,
  u32 = 13,
  enumeration = 14,
  sfixed32 = 15,
  sfixed64 = 16,
  sint32 = 17,
  sint64 = 18,
};

// How a single value of that kind is laid out.
WireType wire_type(ProtoKind kind);
// May a tensor of this type hold such values? Narrow numbers fit into wider ones.
bool holds(DType type, ProtoKind kind);

// One field of a message type.
struct ProtoField {
  std::string name, full_name, type_name;
  std::uint32_t number = 0;
  ProtoKind kind = ProtoKind::i32;
  int cpp_type = 0;  // protocol buffers' number for it, for messages
  bool repeated = false, packed = false;
  // What a field that is absent has: the bits of a number as on the wire, or a text.
  std::uint64_t default_bits = 0;
  std::string default_text;
};

// A message type and the fields of it that are wanted, in the order they were named.
class ProtoMessage {
 public:
  // `source` is "local://" or "" for messages linked in, "bytes://" and a FileDescriptorSet, or the
  // name of a file with one. Throws InvalidArgument when that, the type or a field is not there,
  // and Unimplemented for groups.
  ProtoMessage(const std::string& source, const std::string& type,
               const std::vector<std::string>& field_names);
  ~ProtoMessage();

  const std::vector<ProtoField>& fields() const { return fields_; }

  // The bytes of a message from its text, or written anew from its bytes. Throw DataLoss when it is
  // none.
  std::string from_text(const std::string& text) const;
  std::string rewritten(const std::string& bytes) const;

 private:
  struct Types;
  std::unique_ptr<Types> types_;
  std::vector<ProtoField> fields_;
};

}  // namespace rill
