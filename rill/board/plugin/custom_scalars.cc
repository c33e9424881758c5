#include <re2/re2.h>

#include <algorithm>

#include "rill/board/data/stored_tensor.h"
#include "rill/board/log/wire.h"
#include "rill/board/plugin/question.h"

namespace rill::board {
namespace {

constexpr std::string_view kLayoutTag = "custom_scalars__config__";
using Wire = MessageField;

// A layout: categories of charts. Charts are kept as messages, by which equal ones are known.
struct ChartCategory {
  std::string title;
  std::vector<std::string> charts;
  bool is_closed = false;
};
struct ChartLayout {
  std::int64_t version = 0;
  std::vector<ChartCategory> categories;
};

ChartLayout read_layout(std::string_view text) {
  ChartLayout layout;
  each_field(text, [&](const Wire& field) {
    if (field.is(1, Wire::kVarint)) layout.version = static_cast<std::int64_t>(field.integer());
    if (!field.is_bytes(2)) return;
    ChartCategory category;
    each_field(text_of(field), [&](const Wire& part) {
      if (part.is_bytes(1)) category.title = text_of(part);
      if (part.is_bytes(2)) category.charts.emplace_back(text_of(part));
      if (part.is(3, Wire::kVarint)) category.is_closed = part.integer() != 0;
    });
    layout.categories.push_back(std::move(category));
  });
  return layout;
}

// Categories of one title become one; charts that are there already are left out.
void merge(ChartLayout& all, const ChartLayout& more) {
  for (const ChartCategory& category : more.categories) {
    const auto known = std::ranges::find(all.categories, category.title, &ChartCategory::title);
    if (known == all.categories.end()) {
      all.categories.push_back(category);
      continue;
    }
    for (const std::string& chart : category.charts)
      if (std::ranges::find(known->charts, chart) == known->charts.end())
        known->charts.push_back(chart);
  }
}

void write_chart(std::string_view text, JsonOut& json) {
  std::string title;
  each_field(text, [&](const Wire& field) {
    if (field.is_bytes(1)) title = text_of(field);
  });
  json.open_object().member("title", title);
  each_field(text, [&](const Wire& field) {
    if (field.is_bytes(2)) {
      json.key("multiline").open_object().key("tag").open_array();
      each_field(text_of(field), [&](const Wire& tag) {
        if (tag.is_bytes(1)) json.text(text_of(tag));
      });
      json.close_array().close_object();
    }
    if (!field.is_bytes(3)) return;
    json.key("margin").open_object().key("series").open_array();
    each_field(text_of(field), [&](const Wire& series) {
      if (!series.is_bytes(1)) return;
      std::string value, lower, upper;
      each_field(text_of(series), [&](const Wire& part) {
        if (part.is_bytes(1)) value = text_of(part);
        if (part.is_bytes(2)) lower = text_of(part);
        if (part.is_bytes(3)) upper = text_of(part);
      });
      json.open_object().member("value", value).member("lower", lower).member("upper", upper);
      json.close_object();
    });
    json.close_array().close_object();
  });
  json.close_object();
}

std::optional<ChartLayout> merged_layout(const BoardFacts& board) {
  std::optional<ChartLayout> all;
  for (const auto& run : board.logs.runs()) {
    std::optional<std::pair<std::string, StoredValue>> stored;
    run->with_lock([&](const Run::Contents& contents) {
      const auto found = contents.series.find(kLayoutTag);
      if (found != contents.series.end() && !found->second.stored.empty())
        stored = {contents.paths[found->second.stored.back().file], found->second.stored.back()};
    });
    if (!stored) continue;
    const LoggedTensor tensor = tensor_of(read_stored(stored->first, stored->second));
    if (tensor.texts.empty()) continue;
    const ChartLayout layout = read_layout(tensor.texts[0]);
    if (all)
      merge(*all, layout);
    else
      all = layout;
  }
  return all;
}

Answer layout(const BoardFacts& board, const Question&) {
  const auto merged = merged_layout(board);
  JsonOut json;
  json.open_object();
  if (merged) {
    json.key("version").integer(merged->version).key("category").open_array();
    for (const ChartCategory& category : merged->categories) {
      json.open_object().member("title", category.title).key("closed").boolean(category.is_closed);
      json.key("chart").open_array();
      for (const std::string& chart : category.charts) write_chart(chart, json);
      json.close_array().close_object();
    }
    json.close_array();
  }
  json.close_object();
  return json_answer(json);
}

// The scalars of a run whose tags begin with what a pattern matches.
Answer custom_scalars(const BoardFacts& board, const Question& question) {
  const std::string pattern = question.parameter_or("tag", "");
  const RE2 expression(pattern, RE2::Quiet);
  const bool is_valid = !pattern.empty() && expression.ok();
  JsonOut json;
  json.open_object().key("regex_valid").boolean(is_valid).key("tag_to_events").open_object();
  const auto run = is_valid ? board.logs.run(question.parameter_or("run", "")) : nullptr;
  if (run)
    run->with_lock([&](const Run::Contents& contents) {
      for (const auto& [tag, series] : contents.series) {
        if (!series.is_scalar() ||
            !expression.Match(tag, 0, tag.size(), RE2::ANCHOR_START, nullptr, 0))
          continue;
        json.key(tag).open_array();
        for (std::size_t i = 0; i < series.scalars.size(); ++i)
          json.open_array()
              .number(series.scalars.wall_times[i])
              .integer(series.scalars.steps[i])
              .number(series.scalars.values[i])
              .close_array();
        json.close_array();
      }
    });
  json.close_object().close_object();
  return json_answer(json);
}

Answer download(const BoardFacts& board, const Question& question) {
  for (const Route& route : scalar_routes())
    if (route.path == "/data/plugin/scalars/scalars") return route.answer(board, question);
  raise(Code::kInternal, "There are no scalars");
}

}  // namespace

std::span<const Route> custom_scalar_routes() {
  static constexpr Route kRoutes[] = {{"/data/plugin/custom_scalars/layout", layout},
                                      {"/data/plugin/custom_scalars/scalars", custom_scalars},
                                      {"/data/plugin/custom_scalars/download_data", download}};
  return kRoutes;
}

}  // namespace rill::board
