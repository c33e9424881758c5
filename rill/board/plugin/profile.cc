#include <algorithm>

#include "rill/board/graph/graph_source.h"
#include "rill/board/plugin/question.h"
#include "rill/io/parse_message.h"
#include "tensorflow/core/framework/step_stats.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::board {
namespace {

constexpr std::size_t kMostSpans = 200'000;

// What a node did on a device, from its own start.
struct Span {
  std::int64_t start = 0, micros = 0, bytes = 0;
  std::string name, op;
  std::size_t lane = 0;
};

// "MatMul" of "dense/MatMul = MatMul(x, y)"; "" where the label says something else.
std::string op_of(const tensorflow::NodeExecStats& stats) {
  const std::string& label = stats.timeline_label();
  const std::size_t equals = label.find(" = "), bracket = label.find('(');
  if (equals == std::string::npos || bracket == std::string::npos || bracket < equals + 3)
    return "";
  return label.substr(equals + 3, bracket - equals - 3);
}

// Spans that overlap stand in lanes of their own.
std::vector<Span> spans_of(const tensorflow::DeviceStepStats& device) {
  std::vector<Span> spans;
  for (const auto& stats : device.node_stats()) {
    if (spans.size() == kMostSpans) break;
    Span span{.start = stats.all_start_micros(),
              .micros = std::max<std::int64_t>(stats.all_end_rel_micros(), 0),
              .name = stats.node_name(),
              .op = op_of(stats)};
    for (const auto& memory : stats.memory())
      span.bytes += std::max<std::int64_t>(0, memory.total_bytes());
    spans.push_back(std::move(span));
  }
  std::ranges::stable_sort(spans, {}, &Span::start);
  std::vector<std::int64_t> ends;
  for (Span& span : spans) {
    const auto lane =
        std::ranges::find_if(ends, [&](std::int64_t end) { return end <= span.start; });
    span.lane = static_cast<std::size_t>(lane - ends.begin());
    const std::int64_t end = span.start + std::max<std::int64_t>(span.micros, 1);
    if (lane == ends.end())
      ends.push_back(end);
    else
      *lane = end;
  }
  return spans;
}

Answer traces(const BoardFacts& board, const Question&) {
  JsonOut json;
  json.open_array();
  for (const auto& run : board.logs.runs())
    run->with_lock([&](const Run::Contents& contents) {
      for (const auto& [tag, stored] : contents.run_metadata)
        json.open_object()
            .member("run", run->name())
            .member("tag", tag)
            .key("step")
            .integer(stored.step)
            .close_object();
      for (const auto& [tag, series] : contents.series)
        if (series.metadata.plugin == "graph_run_metadata" && !series.stored.empty())
          json.open_object()
              .member("run", run->name())
              .member("tag", tag)
              .key("step")
              .integer(series.stored.back().step)
              .close_object();
    });
  json.close_array();
  return json_answer(json);
}

Answer trace(const BoardFacts& board, const Question& question) {
  const auto run = asked_run(board, question, "trace");
  const auto stored = run_metadata(*run, question.parameter("tag"));
  if (!stored) raise(Code::kNotFound, "There is no such trace");
  tensorflow::RunMetadata metadata;
  if (!parse_message(stored->bytes(), &metadata))
    raise(Code::kDataLoss, "The log holds a broken trace");
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  for (const auto& device : metadata.step_stats().dev_stats())
    for (const auto& stats : device.node_stats())
      if (stats.all_start_micros() > 0) begin = std::min(begin, stats.all_start_micros());
  JsonOut json;
  json.open_object().key("devices").open_array();
  for (const auto& device : metadata.step_stats().dev_stats()) {
    json.open_object().member("name", device.device()).key("spans").open_array();
    for (const Span& span : spans_of(device)) {
      if (span.start < begin) continue;
      json.open_array().number(static_cast<double>(span.start) - static_cast<double>(begin));
      json.integer(span.micros).integer(static_cast<std::int64_t>(span.lane));
      json.text(span.name).text(span.op).integer(span.bytes).close_array();
    }
    json.close_array().close_object();
  }
  json.close_array().close_object();
  return json_answer(json);
}

}  // namespace

std::span<const Route> profile_routes() {
  static constexpr Route kRoutes[] = {{"/data/rill/traces", traces}, {"/data/rill/trace", trace}};
  return kRoutes;
}

}  // namespace rill::board
