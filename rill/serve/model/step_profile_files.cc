// Profiles of served models in the formats that other tools read.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/unknown_field_set.h>

#include <map>
#include <unordered_map>

#include "rill/base/json.h"
#include "rill/runtime/session/config.h"
#include "rill/serve/model/step_profile.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::serve {
namespace {

using google::protobuf::UnknownFieldSet;

// Numbers of fields of pprof's messages, which are small enough to do without their .proto file.
namespace pprof {
constexpr int kSampleType = 1, kSample = 2, kLocation = 4, kFunction = 5, kStringTable = 6,
              kTimeNanos = 9, kDurationNanos = 10;
}

std::string packed(const UnknownFieldSet& fields) {
  std::string bytes;
  fields.SerializeToString(&bytes);
  return bytes;
}

std::string varints(const std::vector<std::uint64_t>& values) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    for (const std::uint64_t value : values) coded.WriteVarint64(value);
  }
  return bytes;
}

// A profile that is being written: texts have numbers, and so have frames, which are names here.
class PprofWriter {
 public:
  PprofWriter() {
    number_of("");
    add_type("calls", "count");
    add_type("time", "nanoseconds");
  }
  // The innermost frame first.
  void add_sample(const std::vector<std::string>& frames, std::uint64_t calls,
                  std::uint64_t nanos) {
    std::vector<std::uint64_t> places;
    for (const std::string& frame : frames) places.push_back(place_of(frame));
    UnknownFieldSet sample;
    sample.AddLengthDelimited(1, varints(places));
    sample.AddLengthDelimited(2, varints({calls, nanos}));
    profile_.AddLengthDelimited(pprof::kSample, packed(sample));
  }
  std::string finish(std::int64_t began_micros, std::int64_t millis) {
    for (const std::string& text : texts_) profile_.AddLengthDelimited(pprof::kStringTable, text);
    profile_.AddVarint(pprof::kTimeNanos, static_cast<std::uint64_t>(began_micros) * 1000);
    profile_.AddVarint(pprof::kDurationNanos, static_cast<std::uint64_t>(millis) * 1'000'000);
    return packed(profile_);
  }

 private:
  std::uint64_t number_of(const std::string& text) {
    const auto [found, is_new] = numbers_.emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return found->second;
  }
  void add_type(const char* type, const char* unit) {
    UnknownFieldSet value;
    value.AddVarint(1, number_of(type));
    value.AddVarint(2, number_of(unit));
    profile_.AddLengthDelimited(pprof::kSampleType, packed(value));
  }
  // Of a function that is one place of its own.
  std::uint64_t place_of(const std::string& name) {
    const auto [found, is_new] = places_.emplace(name, places_.size() + 1);
    if (is_new) {
      UnknownFieldSet function, line, location;
      function.AddVarint(1, found->second);
      function.AddVarint(2, number_of(name));
      profile_.AddLengthDelimited(pprof::kFunction, packed(function));
      line.AddVarint(1, found->second);
      location.AddVarint(1, found->second);
      location.AddLengthDelimited(4, packed(line));
      profile_.AddLengthDelimited(pprof::kLocation, packed(location));
    }
    return found->second;
  }

  UnknownFieldSet profile_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint64_t> numbers_, places_;
};

// "MatMul dense/MatMul", then the scopes around it, then the model.
std::vector<std::string> frames_of(const std::string& model, std::string_view node,
                                   std::string_view op) {
  std::vector<std::string> frames{str_cat(op, " ", node)};
  for (std::size_t slash = node.rfind('/'); slash != node.npos && slash > 0;
       slash = node.rfind('/', slash - 1))
    frames.emplace_back(node.substr(0, slash));
  frames.push_back(model);
  return frames;
}

}  // namespace

std::string timeline_json(const std::vector<StepProfile::Traced>& steps) {
  std::map<std::string, int> processes;  // a row of its own for each model
  std::string events;
  for (const auto& [model, stats] : steps) {
    const auto [process, is_new] = processes.emplace(model, static_cast<int>(processes.size()) + 1);
    const auto add = [&](const std::string& event) {
      events += str_cat(events.empty() ? "" : ",\n", event);
    };
    if (is_new)
      add(str_cat("{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":", process->second,
                  ",\"args\":{\"name\":", json_quoted(model), "}}"));
    for (const NodeStats& node : stats.nodes)
      add(str_cat(
          "{\"name\":", json_quoted(node.op),
          ",\"cat\":\"Op\",\"ph\":\"X\",\"pid\":", process->second, ",\"tid\":", node.thread,
          ",\"ts\":", node.start_micros, ",\"dur\":", static_cast<double>(node.nanos) / 1e3,
          ",\"args\":{\"name\":", json_quoted(node.node), ",\"op\":", json_quoted(node.op), "}}"));
  }
  return str_cat("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", events, "\n]}\n");
}

std::string pprof_bytes(const std::vector<StepProfile::Traced>& steps, std::int64_t began_micros,
                        std::int64_t millis) {
  struct Sum {
    std::uint64_t calls = 0, nanos = 0;
  };
  std::map<std::vector<std::string>, Sum> sums;
  for (const auto& [model, stats] : steps)
    for (const NodeStats& node : stats.nodes) {
      Sum& sum = sums[frames_of(model, node.node, node.op)];
      ++sum.calls;
      sum.nanos += static_cast<std::uint64_t>(std::max<std::int64_t>(0, node.nanos));
    }
  PprofWriter writer;
  for (const auto& [frames, sum] : sums) writer.add_sample(frames, sum.calls, sum.nanos);
  return writer.finish(began_micros, millis);
}

std::string run_metadata_bytes(const std::vector<StepProfile::Traced>& steps) {
  tensorflow::RunMetadata metadata;
  for (const auto& [model, stats] : steps) to_proto(stats, &metadata);
  return metadata.SerializeAsString();
}

}  // namespace rill::serve
