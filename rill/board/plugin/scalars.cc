#include <algorithm>
#include <bit>

#include "rill/base/json.h"
#include "rill/board/data/thinning.h"
#include "rill/board/plugin/question.h"

namespace rill::board {
namespace {

constexpr std::string_view kWhat = "scalar data";
constexpr std::size_t kMostLines = 5000;

Answer scalar_tags(const BoardFacts& board, const Question&) {
  return tags_answer(board, "scalars", [](const Series&, JsonOut&) {});
}

void write_points(const ScalarColumns& scalars, JsonOut& json) {
  json.open_array();
  for (std::size_t i = 0; i < scalars.size(); ++i)
    json.open_array()
        .number(scalars.wall_times[i])
        .integer(scalars.steps[i])
        .number(scalars.values[i])
        .close_array();
  json.close_array();
}

std::string csv_of(const ScalarColumns& scalars) {
  std::string text = "Wall time,Step,Value\r\n";
  for (std::size_t i = 0; i < scalars.size(); ++i)
    text += str_cat(python_float(scalars.wall_times[i]), ",", scalars.steps[i], ",",
                    python_float(scalars.values[i]), "\r\n");
  return text;
}

Answer scalars(const BoardFacts& board, const Question& question) {
  const auto run = asked_run(board, question, kWhat);
  return run->with_lock([&](const Run::Contents& contents) -> Answer {
    const ScalarColumns& columns =
        asked_series(contents, question, run->name(), "scalars", kWhat).scalars;
    if (question.parameter_or("format", "json") == "csv")
      return text_answer(csv_of(columns), "text/csv; charset=utf-8");
    JsonOut json;
    write_points(columns, json);
    return json_answer(json);
  });
}

// Calls `use` with the columns of each run that has this tag.
void each_line(const BoardFacts& board, const std::string& tag,
               const std::vector<std::string>& runs,
               FunctionRef<void(const std::string&, const ScalarColumns&)> use) {
  for (const std::string& name : runs) {
    const auto run = board.logs.run(name);
    if (!run) continue;
    run->with_lock([&](const Run::Contents& contents) {
      const auto found = contents.series.find(tag);
      if (found != contents.series.end() && found->second.is_scalar())
        use(name, found->second.scalars);
    });
  }
}

Answer scalars_multirun(const BoardFacts& board, const Question& question) {
  const std::string tag = question.parameter("tag");
  JsonOut json;
  json.open_object();
  each_line(board, tag, question.all("runs"),
            [&](const std::string& run, const ScalarColumns& columns) {
              json.key(run);
              write_points(columns, json);
            });
  json.close_object();
  return json_answer(json);
}

ChartAxis axis_of(std::string_view name) {
  if (name == "wall") return ChartAxis::kWallTime;
  if (name == "relative") return ChartAxis::kRelativeTime;
  return ChartAxis::kStep;
}

double number_in(const Json& wish, std::string_view name, double otherwise) {
  const Json* const found = wish.find(name);
  double value = 0;
  return found != nullptr && parse_float(found->text, &value) ? value : otherwise;
}

std::string text_in(const Json& wish, std::string_view name) {
  const Json* const found = wish.find(name);
  return found != nullptr ? found->text : "";
}

ThinningOptions thinning_of(const Json& wish) {
  return {.axis = axis_of(text_in(wish, "axis")),
          .from = number_in(wish, "from", -HUGE_VAL),
          .to = number_in(wish, "to", HUGE_VAL),
          .smoothing = number_in(wish, "smoothing", 0),
          .columns =
              static_cast<std::size_t>(std::clamp(number_in(wish, "columns", 500), 1.0, 10000.0))};
}

void append_numbers(const std::vector<double>& numbers, std::string* bytes) {
  static_assert(std::endian::native == std::endian::little);
  bytes->append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
}

// The lines of a chart, for the page: the length of a JSON text in four bytes, that text, padded to
// a multiple of eight bytes in all, then for each run five columns of doubles.
Answer chart(const BoardFacts& board, const Question& question) {
  const Json wish = parse_json(question.body());
  const Json* const wanted = wish.find("runs");
  require(wanted != nullptr && wanted->kind == Json::Kind::array, "\"runs\" must be a list");
  require(wanted->items.size() <= kMostLines, "At most ", kMostLines, " lines at once");
  std::vector<std::string> runs;
  for (const Json& run : wanted->items) runs.push_back(run.text);
  const ThinningOptions options = thinning_of(wish);
  JsonOut json;
  std::string columns;
  json.open_array();
  each_line(board, text_in(wish, "tag"), runs,
            [&](const std::string& run, const ScalarColumns& scalars) {
              const ThinLine line = thin_line(scalars, options);
              json.open_object().member("run", run);
              json.key("count").integer(static_cast<std::int64_t>(line.x.size()));
              json.key("total").integer(static_cast<std::int64_t>(line.total));
              json.close_object();
              for (const auto* column :
                   {&line.x, &line.steps, &line.wall_times, &line.values, &line.smoothed})
                append_numbers(*column, &columns);
            });
  json.close_array();
  std::string head = json.take();
  head.append((8 - (head.size() + 4) % 8) % 8, ' ');
  std::string body;
  append_fixed32(static_cast<std::uint32_t>(head.size()), &body);
  return text_answer(body + head + columns, "application/octet-stream");
}

}  // namespace

std::span<const Route> scalar_routes() {
  static constexpr Route kRoutes[] = {{"/data/plugin/scalars/tags", scalar_tags},
                                      {"/data/plugin/scalars/scalars", scalars},
                                      {"/data/plugin/scalars/scalars_multirun", scalars_multirun},
                                      {"/data/rill/chart", chart}};
  return kRoutes;
}

}  // namespace rill::board
