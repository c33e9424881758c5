#include <algorithm>
#include <cmath>

#include "rill/board/plugin/question.h"

namespace rill::board {
namespace {

// The parts of the dashboard under TensorBoard's names, and what of a log makes them worth showing.
struct Part {
  std::string_view name, element, tab;
  std::initializer_list<std::string_view> plugins;
  bool disables_reload = false;
};
const Part kParts[] = {
    {"scalars", "tf-scalar-dashboard", "scalars", {"scalars"}},
    {"custom_scalars", "tf-custom-scalar-dashboard", "Custom Scalars", {"custom_scalars"}},
    {"images", "tf-image-dashboard", "images", {"images"}},
    {"audio", "tf-audio-dashboard", "audio", {"audio"}},
    {"debugger-v2", "", "Debugger V2", {"debugger-v2"}},
    {"graphs",
     "tf-graph-dashboard",
     "graphs",
     {"graphs", "graph_run_metadata", "graph_run_metadata_graph", "graph_keras_model"},
     true},
    {"distributions", "tf-distribution-dashboard", "distributions", {"histograms"}},
    {"histograms", "tf-histogram-dashboard", "histograms", {"histograms"}},
    {"text", "tf-text-dashboard", "text", {"text"}},
    {"pr_curves", "tf-pr-curve-dashboard", "PR Curves", {"pr_curves"}},
    {"hparams", "tf-hparams-dashboard", "hparams", {"hparams"}},
    {"mesh", "mesh-dashboard", "mesh", {"mesh"}},
    {"projector", "", "projector", {"projector"}, true},
};

Answer environment(const BoardFacts& board, const Question&) {
  JsonOut json;
  json.open_object().member("version", board.version).member("data_location", board.logdir);
  json.member("window_title", board.window_title).member("experiment_name", "");
  json.member("experiment_description", "").key("creation_time").number(0).close_object();
  return json_answer(json);
}

Answer logdir(const BoardFacts& board, const Question&) {
  JsonOut json;
  json.open_object().member("logdir", board.logdir).close_object();
  return json_answer(json);
}

Answer window_properties(const BoardFacts& board, const Question&) {
  JsonOut json;
  json.open_object().member("window_title", board.window_title).close_object();
  return json_answer(json);
}

Answer nothing(const BoardFacts&, const Question&) { return {.body = "[]"}; }

Answer no_runs(const BoardFacts&, const Question&) { return {.body = "{}"}; }

Answer notifications(const BoardFacts&, const Question&) {
  return {.body = "{\"notifications\":[]}"};
}

// In the order in which they began; those that have not begun come last.
Answer runs(const BoardFacts& board, const Question&) {
  std::vector<std::pair<double, std::string>> known;
  for (const auto& run : board.logs.runs())
    known.emplace_back(run->with_lock([](const Run::Contents& contents) {
      return contents.first_wall_time.value_or(HUGE_VAL);
    }),
                       run->name());
  std::ranges::sort(known, [](const auto& a, const auto& b) {
    const double first = std::isnan(a.first) ? HUGE_VAL : a.first;
    const double second = std::isnan(b.first) ? HUGE_VAL : b.first;
    return first != second ? first < second : a.second < b.second;
  });
  JsonOut json;
  json.open_array();
  for (const auto& [began, name] : known) json.text(name);
  json.close_array();
  return json_answer(json);
}

// Which plugins have data in any run.
std::map<std::string, bool, std::less<>> plugins_with_data(const BoardFacts& board) {
  std::map<std::string, bool, std::less<>> found;
  for (const auto& run : board.logs.runs())
    run->with_lock([&](const Run::Contents& contents) {
      for (const auto& [tag, series] : contents.series) found[series.metadata.plugin] = true;
      if (contents.graph || contents.meta_graph || !contents.run_metadata.empty())
        found["graphs"] = true;
      if (!contents.run_metadata.empty()) found["profile"] = true;
    });
  found["projector"] = has_embeddings(board);
  return found;
}

Answer plugins_listing(const BoardFacts& board, const Question&) {
  const auto found = plugins_with_data(board);
  JsonOut json;
  json.open_object();
  for (const Part& part : kParts) {
    const bool is_enabled = std::ranges::any_of(part.plugins, [&](std::string_view plugin) {
      const auto known = found.find(plugin);
      return known != found.end() && known->second;
    });
    json.key(part.name).open_object().key("disable_reload").boolean(part.disables_reload);
    json.key("enabled").boolean(is_enabled).key("loading_mechanism").open_object();
    if (part.element.empty())
      json.member("type", "NONE");
    else
      json.member("element_name", part.element).member("type", "CUSTOM_ELEMENT");
    json.close_object().key("remove_dom").boolean(false).member("tab_name", part.tab);
    json.close_object();
  }
  json.close_object();
  return json_answer(json);
}

// For the page: all runs with how far they are, what parts have data, and what went wrong.
Answer overview(const BoardFacts& board, const Question&) {
  JsonOut json;
  json.open_object().key("version").integer(static_cast<std::int64_t>(board.logs.version()));
  json.key("loaded").boolean(board.logs.is_loaded()).member("logdir", board.logdir);
  json.member("title", board.window_title).key("runs").open_array();
  std::vector<std::string> damages;
  for (const auto& run : board.logs.runs())
    run->with_lock([&](const Run::Contents& contents) {
      json.open_object().member("name", run->name());
      if (contents.first_wall_time) json.key("start").number(*contents.first_wall_time);
      json.key("events").integer(static_cast<std::int64_t>(contents.events)).close_object();
      for (const std::string& damage : contents.damages)
        if (damages.size() < 100) damages.push_back(damage);
    });
  json.close_array().key("parts").open_array();
  for (const auto& [plugin, has_data] : plugins_with_data(board))
    if (has_data) json.text(plugin);
  json.close_array().key("damages").open_array();
  for (const std::string& damage : damages) json.text(damage);
  json.close_array().close_object();
  return json_answer(json);
}

// For the page: each tag once, with the runs that have it.
Answer tags_of_plugin(const BoardFacts& board, const Question& question) {
  const std::string plugin = question.parameter("plugin");
  struct TagFacts {
    std::string display_name, description;
    std::vector<std::size_t> runs;
    std::uint64_t samples = 0;
  };
  std::map<std::string, TagFacts> tags;
  JsonOut json;
  json.open_object().key("version").integer(static_cast<std::int64_t>(board.logs.version()));
  json.key("runs").open_array();
  std::size_t number = 0;
  for (const auto& run : board.logs.runs()) {
    json.text(run->name());
    run->with_lock([&](const Run::Contents& contents) {
      for (const auto& [tag, series] : contents.series) {
        if (series.metadata.plugin != plugin) continue;
        TagFacts& facts = tags[tag];
        if (facts.runs.empty()) {
          facts.display_name = series.metadata.display_name;
          facts.description = series.metadata.description;
        }
        facts.runs.push_back(number);
        facts.samples = std::max(facts.samples, series.samples);
      }
    });
    ++number;
  }
  json.close_array().key("tags").open_array();
  for (const auto& [tag, facts] : tags) {
    json.open_object().member("tag", tag).member("name", facts.display_name);
    json.member("description", facts.description);
    json.key("samples").integer(static_cast<std::int64_t>(facts.samples));
    if (facts.runs.size() == number) {
      json.key("runs").text("all");
    } else {
      json.key("runs").open_array();
      for (const std::size_t run : facts.runs) json.integer(static_cast<std::int64_t>(run));
      json.close_array();
    }
    json.close_object();
  }
  json.close_array().close_object();
  return json_answer(json);
}

}  // namespace

std::span<const Route> core_routes() {
  static constexpr Route kRoutes[] = {
      {"/data/environment", environment},
      {"/data/logdir", logdir},
      {"/data/window_properties", window_properties},
      {"/data/runs", runs},
      {"/data/experiments", nothing},
      {"/data/experiment_runs", nothing},
      {"/data/notifications", notifications},
      {"/data/plugins_listing", plugins_listing},
      {"/data/plugin/debugger-v2/runs", no_runs},
      {"/data/rill/overview", overview},
      {"/data/rill/tags", tags_of_plugin},
  };
  return kRoutes;
}

}  // namespace rill::board
