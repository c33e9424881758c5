#include "rill/cluster/wire_notes.h"

#include <google/protobuf/message.h>
#include <google/protobuf/unknown_field_set.h>

namespace rill::cluster {

using google::protobuf::Message;
using google::protobuf::UnknownField;

void add_note(Message& message, Note note, std::int64_t value) {
  message.GetReflection()->MutableUnknownFields(&message)->AddVarint(
      static_cast<int>(note), static_cast<std::uint64_t>(value));
}

std::vector<std::int64_t> notes(const Message& message, Note note) {
  std::vector<std::int64_t> values;
  const auto& fields = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    if (field.number() == static_cast<int>(note) && field.type() == UnknownField::TYPE_VARINT)
      values.push_back(static_cast<std::int64_t>(field.varint()));
  }
  return values;
}

bool has_field(const Message& message, int number) {
  const auto& fields = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i)
    if (fields.field(i).number() == number) return true;
  return false;
}

}  // namespace rill::cluster
