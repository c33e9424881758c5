#include <set>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/board/board.h"
#include "rill/board/data/json_out.h"
#include "rill/board/data/markdown.h"
#include "rill/board/data/thinning.h"
#include "rill/board/log/log_store.h"

namespace rill::board {
namespace {

constexpr double kChartWidth = 360, kChartHeight = 200, kEdge = 44;
constexpr std::string_view kColours[] = {"#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1",
                                         "#76b7b2", "#edc948", "#ff9da7", "#9c755f", "#bab0ac"};
constexpr std::string_view kStyle =
    "body{font:14px system-ui,sans-serif;margin:2em auto;max-width:1200px;padding:0 1em;"
    "color:#222;background:#fff}h1{font-size:1.4em}figure{display:inline-block;margin:0 1em 1em 0}"
    "figcaption{font-weight:600;overflow-wrap:anywhere;max-width:360px}"
    "table{border-collapse:collapse}td,th{padding:.2em .8em;border-bottom:1px solid #ddd;"
    "text-align:left}td.n{text-align:right;font-variant-numeric:tabular-nums}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}}";

struct Extent {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Where a value is between 0 and 1.
  double part(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

class Report {
 public:
  explicit Report(const LogStore& logs) : runs_(logs.runs()) {
    for (const auto& run : runs_)
      run->with_lock([&](const Run::Contents& contents) {
        for (const auto& [tag, series] : contents.series)
          if (series.is_scalar()) tags_.insert(tag);
      });
  }

  std::string html(const std::string& title) const {
    std::string text = str_cat("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>",
                               html_escaped(title), "</title><style>", kStyle, "</style>\n<h1>",
                               html_escaped(title), "</h1>\n");
    text += "<table><tr><th>Run</th><th>Events</th></tr>\n";
    for (std::size_t i = 0; i < runs_.size(); ++i)
      text += str_cat("<tr><td><span style=\"color:", colour(i), "\">&#9632;</span> ",
                      html_escaped(valid_utf8(runs_[i]->name())), "</td><td class=\"n\">",
                      runs_[i]->with_lock([](const auto& contents) { return contents.events; }),
                      "</td></tr>\n");
    text += "</table>\n<h2>Scalars</h2>\n";
    for (const std::string& tag : tags_) text += chart(tag);
    return text + "</html>\n";
  }

 private:
  static std::string_view colour(std::size_t i) { return kColours[i % std::size(kColours)]; }

  std::string chart(const std::string& tag) const {
    std::vector<std::pair<std::size_t, ThinLine>> lines;
    Extent across, up;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      runs_[i]->with_lock([&](const Run::Contents& contents) {
        const auto found = contents.series.find(tag);
        if (found == contents.series.end() || !found->second.is_scalar()) return;
        lines.emplace_back(i, thin_line(found->second.scalars, {.columns = 200}));
        for (const double x : lines.back().second.x) across.add(x);
        for (const double value : lines.back().second.values) up.add(value);
      });
    std::string text = str_cat("<figure><figcaption>", html_escaped(valid_utf8(tag)),
                               "</figcaption><svg width=\"", kChartWidth, "\" height=\"",
                               kChartHeight, "\" font-size=\"10\" fill=\"currentColor\">\n");
    text += str_cat("<text x=\"0\" y=\"12\">", short_number(up.high), "</text><text x=\"0\" y=\"",
                    kChartHeight - 18, "\">", short_number(up.low), "</text><text x=\"", kEdge,
                    "\" y=\"", kChartHeight - 4, "\">", short_number(across.low),
                    "</text><text text-anchor=\"end\" x=\"", kChartWidth, "\" y=\"",
                    kChartHeight - 4, "\">", short_number(across.high), "</text>\n");
    for (const auto& [run, line] : lines) {
      text += str_cat("<path fill=\"none\" stroke-width=\"1.5\" stroke=\"", colour(run), "\" d=\"");
      bool is_open = false;
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        if (!std::isfinite(line.values[i])) {
          is_open = false;
          continue;
        }
        text += str_cat(is_open ? "L" : "M",
                        short_number(kEdge + across.part(line.x[i]) * (kChartWidth - kEdge - 4)),
                        " ", short_number(4 + (1 - up.part(line.values[i])) * (kChartHeight - 28)));
        is_open = true;
      }
      text +=
          str_cat("\"><title>", html_escaped(valid_utf8(runs_[run]->name())), "</title></path>\n");
    }
    return text + "</svg></figure>\n";
  }

  const LogStore::Runs runs_;
  std::set<std::string> tags_;
};

}  // namespace

std::string html_report(const BoardOptions& options) {
  const bool is_one = !options.logdir.empty();
  require(is_one || !options.logdir_spec.empty(), "A report needs a directory of logs");
  const LogStore logs({.directories = is_one ? std::vector<LogDirectory>{{"", options.logdir}}
                                             : parse_logdir_spec(options.logdir_spec),
                       .threads = options.reading_threads,
                       .follows = false});
  return Report(logs).html(options.window_title.empty()
                               ? str_cat("Runs of ", is_one ? options.logdir : options.logdir_spec)
                               : options.window_title);
}

}  // namespace rill::board
