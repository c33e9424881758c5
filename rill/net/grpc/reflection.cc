#include "rill/net/grpc/reflection.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/unknown_field_set.h>

#include <set>
#include <vector>

#include "rill/base/error.h"

namespace rill::net {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;
using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

// Numbers of fields. The messages are small enough to do without their .proto file.
namespace request {
constexpr int kFileByName = 3, kFileOfSymbol = 4, kListServices = 7;
}
namespace response {
constexpr int kHost = 1, kRequest = 2, kFiles = 4, kServices = 6, kError = 7;
}

std::string bytes_of(const UnknownFieldSet& fields) {
  std::string bytes;
  fields.SerializeToString(&bytes);
  return bytes;
}

// A file behind all that it needs.
void collect(const FileDescriptor& file, std::set<std::string>* seen, UnknownFieldSet* files) {
  if (!seen->insert(file.name()).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) collect(*file.dependency(i), seen, files);
  google::protobuf::FileDescriptorProto proto;
  file.CopyTo(&proto);
  files->AddLengthDelimited(1, proto.SerializeAsString());
}

void add_file(const FileDescriptor* file, const std::string& wanted, UnknownFieldSet* answer) {
  UnknownFieldSet part;
  if (file == nullptr) {
    part.AddVarint(1, static_cast<std::uint64_t>(Code::kNotFound));
    part.AddLengthDelimited(2, "There is no " + wanted);
    answer->AddLengthDelimited(response::kError, bytes_of(part));
    return;
  }
  std::set<std::string> seen;
  collect(*file, &seen, &part);
  answer->AddLengthDelimited(response::kFiles, bytes_of(part));
}

void add_services(const std::set<std::string>& services, UnknownFieldSet* answer) {
  UnknownFieldSet list;
  for (const std::string& name : services) {
    UnknownFieldSet service;
    service.AddLengthDelimited(1, name);
    list.AddLengthDelimited(1, bytes_of(service));
  }
  answer->AddLengthDelimited(response::kServices, bytes_of(list));
}

void add_error(const std::string& message, UnknownFieldSet* answer) {
  UnknownFieldSet error;
  error.AddVarint(1, static_cast<std::uint64_t>(Code::kUnimplemented));
  error.AddLengthDelimited(2, message);
  answer->AddLengthDelimited(response::kError, bytes_of(error));
}

std::string answer(const std::string& bytes, const std::set<std::string>& services) {
  const DescriptorPool& pool = *DescriptorPool::generated_pool();
  UnknownFieldSet asked, answer;
  require(asked.ParseFromString(bytes), "The request is no ServerReflectionRequest");
  answer.AddLengthDelimited(response::kRequest, bytes);
  for (int i = 0; i < asked.field_count(); ++i) {
    const UnknownField& field = asked.field(i);
    if (field.type() != UnknownField::TYPE_LENGTH_DELIMITED) continue;
    const std::string& text = field.length_delimited();
    if (field.number() == response::kHost)
      answer.AddLengthDelimited(response::kHost, text);
    else if (field.number() == request::kFileByName)
      add_file(pool.FindFileByName(text), text, &answer);
    else if (field.number() == request::kFileOfSymbol)
      add_file(pool.FindFileContainingSymbol(text), text, &answer);
    else if (field.number() == request::kListServices)
      add_services(services, &answer);
    else
      add_error("Extensions are not told of", &answer);
  }
  return bytes_of(answer);
}

}  // namespace

RpcConversations reflection(const RpcMethods& methods, const RpcStreams& streams) {
  RpcConversations conversations;
  std::set<std::string> services{"grpc.health.v1.Health"};
  for (const auto& [name, method] : methods) services.insert(name.substr(1, name.rfind('/') - 1));
  for (const auto& [name, method] : streams) services.insert(name.substr(1, name.rfind('/') - 1));
  for (const char* version : {"v1", "v1alpha"})
    services.insert(str_cat("grpc.reflection.", version, ".ServerReflection"));
  for (const char* version : {"v1", "v1alpha"})
    conversations[str_cat("/grpc.reflection.", version, ".ServerReflection/ServerReflectionInfo")] =
        [services](const std::string& bytes) { return answer(bytes, services); };
  return conversations;
}

}  // namespace rill::net
