#include <google/protobuf/util/json_util.h>

#include "rill/api/core/collections.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/logging.h"
#include "rill/api/summary/summary.h"
#include "rill/base/error.h"
#include "rill/base/log.h"
#include "tensorflow/core/framework/node_def.pb.h"
#include "tensorflow/core/framework/summary.pb.h"

namespace rill::summaries {
namespace {

bool stays(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '/';
}
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::string scope_name(const std::string& name, const std::string& family, const char* otherwise) {
  const std::string cleaned = clean_tag(name.empty() ? otherwise : name);
  return family.empty() ? cleaned : str_cat(clean_tag(family), "/", cleaned);
}

Output collected(Output summary, const InCollections& collections) {
  for (const std::string& key :
       collections.value_or(std::vector<std::string>{GraphKeys::SUMMARIES}))
    add_to_collection(key, summary);
  return summary;
}

std::string tensor_summary_metadata(const TensorSummaryOptions& options) {
  tensorflow::SummaryMetadata metadata;
  require(metadata.ParseFromString(options.summary_metadata),
          "summary_metadata is no serialised SummaryMetadata");
  if (!options.summary_description.empty())
    metadata.set_summary_description(options.summary_description);
  if (!options.display_name.empty()) metadata.set_display_name(options.display_name);
  return metadata.SerializeAsString();
}

}  // namespace

std::string clean_tag(std::string_view name) {
  std::string cleaned;
  for (const char c : name)
    if (!continues_character(c)) cleaned += stays(c) ? c : '_';
  cleaned.erase(0, cleaned.find_first_not_of('/'));
  if (cleaned != name)
    log(LogLevel::kInfo, "Summary name ", name, " is illegal; using ", cleaned, " instead.");
  return cleaned;
}

SummaryBlock::SummaryBlock(const std::string& name, const std::string& family,
                           const char* otherwise, std::source_location at)
    : Block(scope_name(name, family, otherwise), "", at) {
  const std::string& scope = current_scope().name();
  tag_ = family.empty() ? scope : str_cat(clean_tag(family), "/", scope);
}

Output scalar(const std::string& name, const Input& tensor, const SummaryOptions& options,
              std::source_location at) {
  const SummaryBlock in(name, options.family, "", at);
  return collected(raw::ScalarSummary(in.tag(), tensor, {.name = in.own_name()}),
                   options.collections);
}

Output histogram(const std::string& name, const Input& values, const SummaryOptions& options,
                 std::source_location at) {
  const SummaryBlock in(name, options.family, "HistogramSummary", at);
  return collected(raw::HistogramSummary(in.tag(), values, {.name = in.own_name()}),
                   options.collections);
}

Output image(const std::string& name, const Input& tensor, const MediaOptions& options,
             std::source_location at) {
  const SummaryBlock in(name, options.family, "", at);
  return collected(raw::ImageSummary(in.tag(), tensor,
                                     {.max_images = options.max_outputs, .name = in.own_name()}),
                   options.collections);
}

Output audio(const std::string& name, const Input& tensor, const Input& sample_rate,
             const MediaOptions& options, std::source_location at) {
  const SummaryBlock in(name, options.family, "", at);
  const Output rate = as_tensor(sample_rate, "sample_rate", DType::f32);
  return collected(raw::AudioSummaryV2(in.tag(), tensor, rate,
                                       {.max_outputs = options.max_outputs, .name = in.own_name()}),
                   options.collections);
}

Output text(const std::string& name, const Input& given, const TextOptions& options,
            std::source_location at) {
  const Output tensor = as_tensor(given);
  require(base_type(tensor.dtype()) == DType::string, "Expected tensor ", tensor.name(),
          " to have dtype string, got ", dtype_text(tensor.dtype()));
  tensorflow::SummaryMetadata metadata;
  metadata.mutable_plugin_data()->set_plugin_name("text");
  return tensor_summary(
      name, tensor,
      {.collections = options.collections, .summary_metadata = metadata.SerializeAsString()}, at);
}

Output tensor_summary(const std::string& name, const Input& tensor,
                      const TensorSummaryOptions& options, std::source_location at) {
  const std::string metadata = tensor_summary_metadata(options);
  const SummaryBlock in(name, options.family, "", at);
  return collected(raw::TensorSummaryV2(in.tag(), tensor, metadata, {.name = in.own_name()}),
                   options.collections);
}

Output merge(const Inputs& inputs, const MergeOptions& options, std::source_location at) {
  const std::string name = clean_tag(options.name);
  const Block in(name, "Merge", at);
  return collected(raw::MergeSummary(inputs, {.name = name}), options.collections);
}

Maybe<Output> merge_all(const std::string& key, const MergeAllOptions& options,
                        std::source_location at) {
  const std::vector<Output> found = get_tensor_collection(key, options.scope);
  if (found.empty()) return {std::nullopt, "there are no summaries that merge_all() could merge"};
  return merge(found, {.name = options.name}, at);
}

tensorflow::SummaryDescription get_summary_description(const tensorflow::NodeDef& node_def) {
  require(node_def.op() == "TensorSummary", "Can't get_summary_description on ", node_def.op());
  tensorflow::SummaryDescription description;
  const auto found = node_def.attr().find("description");
  const std::string json = found == node_def.attr().end() ? "" : found->second.s();
  const auto status = google::protobuf::util::JsonStringToMessage(json, &description);
  require(status.ok(), "the description of ", node_def.name(), " is no SummaryDescription: ", json);
  return description;
}

}  // namespace rill::summaries
