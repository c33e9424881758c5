#include "rill/inspect/profiler/flame_graph.h"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "rill/base/error.h"
#include "rill/inspect/profiler/metric.h"
#include "rill/inspect/profiler/number_text.h"

namespace rill::profiler {
namespace {

constexpr double kWidth = 1200, kBar = 18, kMargin = 10, kHead = 40;
constexpr double kLetter = 6.6;     // of the font, on the average
constexpr double kNarrowest = 0.1;  // what is narrower cannot be seen

// Each bar knows where it is when the whole is shown; clicking one shows it across the picture, and
// what it stands on; clicking the lowest shows the whole again.
constexpr const char* kScript = R"(
  const bars = Array.from(document.querySelectorAll('g.bar'));
  const place = (bar) => [Number(bar.dataset.x), Number(bar.dataset.w), Number(bar.dataset.d)];
  function zoom(chosen) {
    const [from, across, depth] = place(chosen);
    for (const bar of bars) {
      const [x, w, d] = place(bar);
      const below = d < depth && x <= from + 1e-6 && x + w >= from + across - 1e-6;
      const inside = d >= depth && x >= from - 1e-6 && x + w <= from + across + 1e-6;
      bar.style.display = below || inside ? '' : 'none';
      const left = below ? 0 : (x - from) / across, wide = below ? 1 : w / across;
      const rect = bar.querySelector('rect'), text = bar.querySelector('text');
      rect.setAttribute('x', MARGIN + left * WIDTH);
      rect.setAttribute('width', wide * WIDTH);
      text.setAttribute('x', MARGIN + left * WIDTH + 3);
      const room = Math.floor((wide * WIDTH - 6) / LETTER), name = bar.dataset.name;
      text.textContent = room < 3 ? '' : name.length <= room ? name : name.slice(0, room - 2) + '..';
    }
  }
  for (const bar of bars) bar.addEventListener('click', () => zoom(bar));
)";

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return safe;
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string figure_text(const Metric& metric, std::int64_t value) {
  const std::string_view unit = metric.unit;
  if (unit == "microseconds") return micros_text(value);
  return unit == "bytes" ? bytes_text(value) : count_text(value);
}

// Warm colours, the same for the same name.
std::string colour_of(const std::string& name) {
  const std::size_t h = std::hash<std::string>()(name);
  return str_cat("rgb(", 205 + h % 50, ",", 90 + h / 64 % 130, ",", h / 16384 % 60, ")");
}

class Picture {
 public:
  Picture(const Row& root, const Metric& metric)
      : metric_(metric), whole_(std::max<std::int64_t>(1, metric.value(root.total))) {
    add(root, 0, 1, 0);
  }

  std::string text(const std::string& title) const {
    const double height = kHead + kBar * (deepest_ + 1) + 2 * kMargin;
    std::string page = str_cat(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width=")", number(kWidth + 2 * kMargin),
        R"(" height=")", number(height),
        R"(" font-family="monospace" font-size="11"><rect width="100%" height="100%" fill="#fff8ee"/>)",
        R"(<text x="10" y="24" font-size="15">)", escaped(title), "</text>\n");
    for (const Bar& bar : bars_) page += drawn(bar, height);
    std::string script = kScript;
    for (const auto& [word, value] :
         {std::pair("MARGIN", kMargin), std::pair("WIDTH", kWidth), std::pair("LETTER", kLetter)})
      for (std::size_t at = script.find(word); at != script.npos; at = script.find(word, at))
        script.replace(at, std::string_view(word).size(), number(value));
    return str_cat(page, "<script><![CDATA[", script, "]]></script>\n</svg>\n");
  }

 private:
  struct Bar {
    std::string name;
    double x, width;  // parts of the whole
    int depth;
    std::int64_t value;
  };

  void add(const Row& row, double x, double room, int depth) {
    const std::int64_t value = metric_.value(row.total);
    const double width = std::min(room, static_cast<double>(value) / static_cast<double>(whole_));
    if (width * kWidth < kNarrowest) return;
    bars_.push_back({row.name == kRootName ? "all" : row.name, x, width, depth, value});
    deepest_ = std::max(deepest_, depth);
    double next = x;
    for (const RowPtr& child : row.children) {
      add(*child, next, x + width - next, depth + 1);
      next += static_cast<double>(metric_.value(child->total)) / static_cast<double>(whole_);
    }
  }

  std::string drawn(const Bar& bar, double height) const {
    const double x = kMargin + bar.x * kWidth, width = bar.width * kWidth;
    const double y = height - kMargin - kBar * (bar.depth + 1);
    const auto room = static_cast<std::size_t>(std::max(0.0, (width - 6) / kLetter));
    std::string shown = bar.name;
    if (room < 3) shown.clear();
    if (shown.size() > room) shown = shown.substr(0, room - 2) + "..";
    char percent[20];
    std::snprintf(percent, sizeof percent, "%.2f%%", 100 * bar.width);
    return str_cat(R"(<g class="bar" data-x=")", number(bar.x), R"(" data-w=")", number(bar.width),
                   R"(" data-d=")", bar.depth, R"(" data-name=")", escaped(bar.name),
                   R"("><title>)", escaped(bar.name), ": ", figure_text(metric_, bar.value), ", ",
                   percent, R"(</title><rect x=")", number(x), R"(" y=")", number(y),
                   R"(" width=")", number(width), R"(" height=")", number(kBar - 1),
                   R"(" rx="1" fill=")", colour_of(bar.name), R"("/><text x=")", number(x + 3),
                   R"(" y=")", number(y + 13), R"(">)", escaped(shown), "</text></g>\n");
  }

  const Metric& metric_;
  const std::int64_t whole_;
  std::vector<Bar> bars_;
  int deepest_ = 0;
};

}  // namespace

std::string flame_graph(ViewKind kind, const Row& root, const ProfileOptions& options) {
  require(kind != ViewKind::op, "The op view is a list, which has no flame graph");
  const Metric& metric = only_metric(options, "flame graph");
  return Picture(root, metric)
      .text(str_cat(metric.select, " of ", figure_text(metric, metric.value(root.total))));
}

}  // namespace rill::profiler
