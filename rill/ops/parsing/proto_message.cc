#include "rill/ops/parsing/proto_message.h"

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/descriptor_database.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <bit>

#include "rill/base/error.h"
#include "rill/base/files.h"

namespace rill {

namespace pb = google::protobuf;

namespace {

constexpr std::string_view kBytesSource = "bytes://";
constexpr int kDeepestMessage = 100;  // as for bytes

// Keeps what is wrong off the standard error output.
class Silence final : public pb::DescriptorPool::ErrorCollector, public pb::io::ErrorCollector {
 public:
  void AddError(const std::string&, const std::string&, const pb::Message*, ErrorLocation,
                const std::string&) override {}
  void AddError(int, int, const std::string&) override {}
};

std::string set_bytes(const std::string& source) {
  if (source.starts_with(kBytesSource)) return source.substr(kBytesSource.size());
  try {
    return read_file(source);
  } catch (const Error& error) {
    raise(Code::kInvalidArgument,
          "Source does not represent serialized file descriptor set proto. ", error.message());
  }
}

std::uint64_t default_bits(const pb::FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_DOUBLE:
      return std::bit_cast<std::uint64_t>(field.default_value_double());
    case pb::FieldDescriptor::CPPTYPE_FLOAT:
      return std::bit_cast<std::uint32_t>(field.default_value_float());
    case pb::FieldDescriptor::CPPTYPE_INT32:
      return static_cast<std::uint64_t>(std::int64_t{field.default_value_int32()});
    case pb::FieldDescriptor::CPPTYPE_INT64:
      return static_cast<std::uint64_t>(field.default_value_int64());
    case pb::FieldDescriptor::CPPTYPE_UINT32:
      return field.default_value_uint32();
    case pb::FieldDescriptor::CPPTYPE_UINT64:
      return field.default_value_uint64();
    case pb::FieldDescriptor::CPPTYPE_BOOL:
      return field.default_value_bool() ? 1 : 0;
    case pb::FieldDescriptor::CPPTYPE_ENUM:
      return static_cast<std::uint64_t>(std::int64_t{field.default_value_enum()->number()});
    default:
      return 0;
  }
}

ProtoField described(const pb::FieldDescriptor& field) {
  if (field.type() == pb::FieldDescriptor::TYPE_GROUP)
    raise(Code::kUnimplemented, "field ", field.full_name(), " is a group");
  ProtoField made{.name = field.name(),
                  .full_name = field.full_name(),
                  .type_name = field.type_name(),
                  .number = static_cast<std::uint32_t>(field.number()),
                  .kind = static_cast<ProtoKind>(field.type()),
                  .cpp_type = field.cpp_type(),
                  .repeated = field.is_repeated(),
                  .packed = field.is_packed()};
  if (field.is_repeated()) return made;
  made.default_bits = default_bits(field);
  if (field.cpp_type() == pb::FieldDescriptor::CPPTYPE_STRING)
    made.default_text = field.default_value_string();
  return made;
}

}  // namespace

// Only what is not linked in has a database and a pool of its own.
struct ProtoMessage::Types {
  Silence silence;
  pb::SimpleDescriptorDatabase database;
  std::unique_ptr<pb::DescriptorPool> own_pool;
  const pb::DescriptorPool* pool = pb::DescriptorPool::generated_pool();
  std::unique_ptr<pb::DynamicMessageFactory> messages;
  const pb::Descriptor* type = nullptr;

  void read(const std::string& source) {
    pb::FileDescriptorSet set;
    bool ok = set.ParseFromString(set_bytes(source));
    for (const pb::FileDescriptorProto& file : set.file()) ok = ok && database.Add(file);
    require(ok && set.file_size() > 0,
            "Source does not represent serialized file descriptor set proto.");
    own_pool = std::make_unique<pb::DescriptorPool>(&database, &silence);
    pool = own_pool.get();
  }

  std::unique_ptr<pb::Message> make() const {
    return std::unique_ptr<pb::Message>(messages->GetPrototype(type)->New());
  }
};

ProtoMessage::ProtoMessage(const std::string& source, const std::string& type,
                           const std::vector<std::string>& field_names)
    : types_(std::make_unique<Types>()) {
  if (!source.empty() && source != "local://") types_->read(source);
  types_->type = types_->pool->FindMessageTypeByName(type);
  require(types_->type != nullptr, "No descriptor found for message type ", type);
  types_->messages = std::make_unique<pb::DynamicMessageFactory>(types_->pool);
  for (const std::string& name : field_names) {
    const pb::FieldDescriptor* field = types_->type->FindFieldByName(name);
    if (field == nullptr) field = types_->pool->FindExtensionByName(name);
    require(field != nullptr && field->containing_type() == types_->type, "Unknown field: ", name,
            " in message type ", type);
    fields_.push_back(described(*field));
  }
}

ProtoMessage::~ProtoMessage() = default;

std::string ProtoMessage::from_text(const std::string& text) const {
  const std::unique_ptr<pb::Message> message = types_->make();
  Silence silence;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&silence);
  parser.SetRecursionLimit(kDeepestMessage);
  parser.AllowPartialMessage(true);
  if (!parser.ParseFromString(text, message.get()))
    raise(Code::kDataLoss, "Unable to parse text protobuf");
  return message->SerializePartialAsString();
}

std::string ProtoMessage::rewritten(const std::string& bytes) const {
  const std::unique_ptr<pb::Message> message = types_->make();
  if (!message->ParsePartialFromString(bytes))
    raise(Code::kDataLoss, "Unable to parse binary protobuf");
  return message->SerializePartialAsString();
}

WireType wire_type(ProtoKind kind) {
  switch (kind) {
    case ProtoKind::f64:
    case ProtoKind::fixed64:
    case ProtoKind::sfixed64:
      return WireType::fixed64;
    case ProtoKind::f32:
    case ProtoKind::fixed32:
    case ProtoKind::sfixed32:
      return WireType::fixed32;
    case ProtoKind::string:
    case ProtoKind::bytes:
    case ProtoKind::message:
      return WireType::delimited;
    case ProtoKind::group:
      return WireType::group_start;
    default:
      return WireType::varint;
  }
}

bool holds(DType type, ProtoKind kind) {
  switch (kind) {
    case ProtoKind::f64:
      return type == DType::f64;
    case ProtoKind::f32:
      return type == DType::f32 || type == DType::f64;
    case ProtoKind::i64:
    case ProtoKind::sint64:
    case ProtoKind::sfixed64:
      return type == DType::i64;
    case ProtoKind::u64:
    case ProtoKind::fixed64:
      return type == DType::u64;
    case ProtoKind::i32:
    case ProtoKind::sint32:
    case ProtoKind::sfixed32:
      return type == DType::i32 || type == DType::i64;
    case ProtoKind::u32:
    case ProtoKind::fixed32:
      return type == DType::u32 || type == DType::u64;
    case ProtoKind::boolean:
      return type == DType::boolean;
    case ProtoKind::enumeration:
      return type == DType::i32;
    default:
      return type == DType::string;
  }
}

}  // namespace rill
