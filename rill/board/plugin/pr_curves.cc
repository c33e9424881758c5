#include <algorithm>

#include "rill/board/data/stored_tensor.h"
#include "rill/board/plugin/question.h"

namespace rill::board {
namespace {

// The rows of the tensor.
enum PrRow : std::size_t {
  kTruePositives,
  kFalsePositives,
  kTrueNegatives,
  kFalseNegatives,
  kPrecision,
  kRecall,
  kPrRows
};
struct NamedRow {
  std::string_view name;
  PrRow row;
  bool is_count;
};
constexpr NamedRow kNamedRows[] = {
    {"precision", kPrecision, false},         {"recall", kRecall, false},
    {"true_positives", kTruePositives, true}, {"false_positives", kFalsePositives, true},
    {"true_negatives", kTrueNegatives, true}, {"false_negatives", kFalseNegatives, true}};

Answer pr_tags(const BoardFacts& board, const Question&) {
  return tags_answer(board, "pr_curves", [](const Series&, JsonOut&) {});
}

std::int64_t whole(double value) {
  return value > -9e18 && value < 9e18 ? static_cast<std::int64_t>(value) : 0;
}

void write_curve(const StoredValue& value, const LoggedTensor& tensor, JsonOut& json) {
  if (tensor.is_text || tensor.shape.size() != 2 ||
      tensor.shape[0] < static_cast<std::int64_t>(kPrRows) || tensor.shape[1] < 1)
    raise(Code::kDataLoss, "The log holds a PR curve that is none");
  const auto width = static_cast<std::size_t>(tensor.shape[1]);
  const auto element = [&](PrRow row, std::size_t i) { return tensor.numbers[row * width + i]; };
  // Behind the last threshold with any positives precision means nothing.
  std::size_t end = width;
  while (end > 1 &&
         whole(element(kTruePositives, end - 1)) + whole(element(kFalsePositives, end - 1)) == 0)
    --end;
  json.open_object().key("wall_time").number(value.wall_time).key("step").integer(value.step);
  for (const auto& [name, row, is_count] : kNamedRows) {
    json.key(name).open_array();
    for (std::size_t i = 0; i < end; ++i)
      if (is_count)
        json.integer(whole(element(row, i)));
      else
        json.number(element(row, i));
    json.close_array();
  }
  json.key("thresholds").open_array();
  for (std::size_t i = 0; i < end; ++i)
    json.number(width > 1 && i == width - 1
                    ? 1
                    : static_cast<double>(i) *
                          (1.0 / static_cast<double>(std::max<std::size_t>(width - 1, 1))));
  json.close_array().close_object();
}

Answer pr_curves(const BoardFacts& board, const Question& question) {
  const std::vector<std::string> runs = question.all("run");
  require(!runs.empty(), "No runs provided when fetching PR curve data");
  const std::string tag = question.parameter_or("tag", "");
  require(!tag.empty(), "No tag provided when fetching PR curve data");
  JsonOut json;
  json.open_object();
  for (const std::string& name : runs) {
    StoredSeries stored;
    if (const auto run = board.logs.run(name))
      stored = run->with_lock([&](const Run::Contents& contents) {
        const auto found = contents.series.find(tag);
        return found == contents.series.end() || found->second.metadata.plugin != "pr_curves"
                   ? StoredSeries{}
                   : StoredSeries{found->second.stored, contents.paths, found->second.metadata};
      });
    require(!stored.values.empty(), "No PR curves could be found for run '", name, "' and tag '",
            tag, "'");
    json.key(name).open_array();
    for (const StoredValue& value : stored.values)
      write_curve(value, tensor_of(stored.bytes(value)), json);
    json.close_array();
  }
  json.close_object();
  return json_answer(json);
}

}  // namespace

std::span<const Route> pr_curve_routes() {
  static constexpr Route kRoutes[] = {{"/data/plugin/pr_curves/tags", pr_tags},
                                      {"/data/plugin/pr_curves/pr_curves", pr_curves}};
  return kRoutes;
}

}  // namespace rill::board
