#include <algorithm>

#include "rill/board/data/stored_tensor.h"
#include "rill/board/plugin/hparams_data.h"
#include "rill/board/plugin/question.h"
#include "rill/board/plugin/run_query.h"

namespace rill::board {
namespace {

constexpr std::size_t kMostHits = 200, kMostTextsRead = 2000, kHitMargin = 60;

// Where a word was found: on which page, in which run, under which tag.
class Hits {
 public:
  explicit Hits(std::string wanted) : wanted_(std::move(wanted)) { json_.open_array(); }

  bool has_room() const { return count_ < kMostHits; }
  bool look_in(std::string_view text, std::string_view kind, std::string_view run,
               std::string_view tag) {
    const std::string small = lower(text);
    const std::size_t place = small.find(wanted_);
    if (place == std::string::npos || !has_room()) return false;
    const std::size_t begin = place > kHitMargin ? place - kHitMargin : 0;
    json_.open_object().member("kind", kind).member("run", run).member("tag", tag);
    json_.member("text", text.substr(begin, wanted_.size() + 2 * kHitMargin)).close_object();
    ++count_;
    return true;
  }
  Answer answer() {
    json_.close_array();
    return json_answer(json_);
  }

 private:
  const std::string wanted_;  // in lower case
  JsonOut json_;
  std::size_t count_ = 0;
};

// Over names of runs and tags, descriptions, texts and hyperparameters.
Answer search(const BoardFacts& board, const Question& question) {
  const std::string wanted = lower(question.parameter("q"));
  require(!wanted.empty(), "There is nothing to search for");
  Hits hits(wanted);
  std::vector<std::pair<std::shared_ptr<const Run>, std::string>> texts;
  std::map<std::string, bool> seen;
  for (const auto& run : board.logs.runs()) {
    hits.look_in(run->name(), "run", run->name(), "");
    run->with_lock([&](const Run::Contents& contents) {
      for (const auto& [tag, series] : contents.series) {
        const std::string& plugin = series.metadata.plugin;
        if (plugin == "hparams") continue;
        if (!std::exchange(seen[plugin + " " + tag], true)) {  // once, however many runs have it
          hits.look_in(tag, plugin, run->name(), tag);
          hits.look_in(series.metadata.description, plugin, run->name(), tag);
        }
        if (plugin == "text") texts.emplace_back(run, tag);
      }
    });
  }
  for (const HParamSession& session : read_sessions(board.logs, {}))
    for (const auto& [name, value] : session.hparams)
      hits.look_in(
          str_cat(name, " = ",
                  value.kind == HParamValue::Kind::kText ? value.text : python_float(value.number)),
          "hparams", session.run, name);
  std::size_t read = 0;
  for (const auto& [run, tag] : texts) {
    const auto stored = run->with_lock([&](const Run::Contents& contents) {
      const auto found = contents.series.find(tag);
      return found == contents.series.end()
                 ? StoredSeries{}
                 : StoredSeries{found->second.stored, contents.paths, {}};
    });
    for (const StoredValue& value : stored.values) {
      if (!hits.has_room() || ++read > kMostTextsRead) break;
      try {
        for (const std::string& text : tensor_of(stored.bytes(value)).texts)
          hits.look_in(text, "text", run->name(), tag);
      } catch (const Error&) {  // one that cannot be read has nothing to be found
      }
    }
  }
  return hits.answer();
}

Answer query(const BoardFacts& board, const Question& question) {
  const QueryResult result = run_query(board.logs, question.parameter_or("q", ""));
  JsonOut json;
  json.open_object().key("columns").open_array();
  for (const std::string& column : result.columns) json.text(column);
  json.close_array().key("rows").open_array();
  for (const auto& row : result.rows) {
    json.open_object().member("run", row.run).key("values").open_array();
    for (const auto& value : row.values) {
      if (value.kind == HParamValue::Kind::kText)
        json.text(value.text);
      else if (value.kind == HParamValue::Kind::kNumber)
        json.number(value.number);
      else if (value.kind == HParamValue::Kind::kBoolean)
        json.boolean(value.number != 0);
      else
        json.null();
    }
    json.close_array().close_object();
  }
  json.close_array().close_object();
  return json_answer(json);
}

}  // namespace

std::span<const Route> search_routes() {
  static constexpr Route kRoutes[] = {{"/data/rill/search", search}, {"/data/rill/query", query}};
  return kRoutes;
}

}  // namespace rill::board
