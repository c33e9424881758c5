#include "rill/graph/import_library.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <map>

#include "rill/base/error.h"
#include "rill/base/function_ref.h"
#include "rill/graph/op_def.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill {
namespace {

// The same bytes for equal messages, whatever order their maps are in.
std::string bytes_of(const google::protobuf::MessageLite& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return bytes;
}

template <class Entry, class Name>
void merge(const google::protobuf::RepeatedPtrField<Entry>& added,
           google::protobuf::RepeatedPtrField<Entry>* all, Name name_of, std::string_view what,
           FunctionRef<void(const Entry&)> on_new) {
  std::map<std::string, std::string> known;
  for (const Entry& entry : *all) known.emplace(name_of(entry), bytes_of(entry));
  for (const Entry& entry : added) {
    const auto [it, is_new] = known.emplace(name_of(entry), bytes_of(entry));
    require(is_new || it->second == bytes_of(entry), "Cannot add ", what, " '", name_of(entry),
            "' because a different ", what, " with the same name already exists.");
    if (!is_new) continue;
    on_new(entry);
    *all->Add() = entry;
  }
}

}  // namespace

std::string import_library(GraphEdit& edit, const tensorflow::FunctionDefLibrary& library) {
  const std::string& before = edit.graph().function_library;
  if (library.function_size() == 0 && library.gradient_size() == 0) return before;
  tensorflow::FunctionDefLibrary merged;
  require(merged.ParseFromString(before), "the graph's function library is damaged");
  merge<tensorflow::FunctionDef>(
      library.function(), merged.mutable_function(),
      [](const auto& function) { return function.signature().name(); }, "function",
      [&](const auto& function) { edit.define(from_proto(function.signature())); });
  merge<tensorflow::GradientDef>(
      library.gradient(), merged.mutable_gradient(),
      [](const auto& gradient) { return gradient.function_name(); }, "gradient of",
      [](const auto&) {});
  return bytes_of(merged);
}

}  // namespace rill
