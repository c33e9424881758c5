#include "rill/compat/convert.h"
#include "tensorflow/core/platform/env.h"

namespace tensorflow {

Status ReadFileToString(Env* env, const string& fname, string* data) {
  std::unique_ptr<RandomAccessFile> file;
  TF_RETURN_IF_ERROR(env->NewRandomAccessFile(fname, &file));
  data->clear();
  string part(1 << 16, '\0');
  while (true) {
    StringPiece got;
    const Status status = file->Read(data->size(), part.size(), &got, part.data());
    data->append(got.data(), got.size());
    if (errors::IsOutOfRange(status)) return Status::OK();
    TF_RETURN_IF_ERROR(status);
  }
}
Status WriteStringToFile(Env* env, const string& fname, const StringPiece& data) {
  std::unique_ptr<WritableFile> file;
  TF_RETURN_IF_ERROR(env->NewWritableFile(fname, &file));
  TF_RETURN_IF_ERROR(file->Append(data));
  return file->Close();
}

bool ParseProtoUnlimited(protobuf::MessageLite* proto, const string& serialized) {
  return ParseProtoUnlimited(proto, serialized.data(), serialized.size());
}
bool ParseProtoUnlimited(protobuf::MessageLite* proto, const void* serialized, size_t size) {
  if (size > static_cast<size_t>(kint32max)) return false;
  return proto->ParseFromArray(serialized, static_cast<int>(size));
}
Status ReadBinaryProto(Env* env, const string& fname, protobuf::MessageLite* proto) {
  string data;
  TF_RETURN_IF_ERROR(ReadFileToString(env, fname, &data));
  if (ParseProtoUnlimited(proto, data)) return Status::OK();
  return errors::DataLoss("Can't parse ", fname, " as binary proto");
}
Status WriteBinaryProto(Env* env, const string& fname, const protobuf::MessageLite& proto) {
  string data;
  if (!proto.SerializeToString(&data)) return errors::InvalidArgument("cannot write ", fname);
  return WriteStringToFile(env, fname, data);
}
namespace {
// A broken text is an error of the caller's; protobuf's own words go into the log only.
bool parse_text(const string& data, protobuf::Message* proto) {
  return protobuf::TextFormat::ParseFromString(data, proto);
}
}  // namespace
Status ReadTextProto(Env* env, const string& fname, protobuf::Message* proto) {
  string data;
  TF_RETURN_IF_ERROR(ReadFileToString(env, fname, &data));
  if (parse_text(data, proto)) return Status::OK();
  return errors::DataLoss("Can't parse ", fname, " as text proto");
}
Status WriteTextProto(Env* env, const string& fname, const protobuf::Message& proto) {
  string data;
  if (!protobuf::TextFormat::PrintToString(proto, &data))
    return errors::FailedPrecondition("Unable to convert proto to text.");
  return WriteStringToFile(env, fname, data);
}
Status ReadTextOrBinaryProto(Env* env, const string& fname, protobuf::Message* proto) {
  const Status text = ReadTextProto(env, fname, proto);
  return text.ok() ? text : ReadBinaryProto(env, fname, proto);
}

}  // namespace tensorflow
