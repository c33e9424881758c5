#include "rill/inspect/profiler/number_text.h"

#include <cstdio>
#include <span>

#include "rill/base/text.h"

namespace rill::profiler {
namespace {

struct NumberUnit {
  double size;
  const char* name;
};

// The largest unit that is not above the number; the first counts ones, without decimals.
std::string with_unit(std::int64_t number, std::span<const NumberUnit> units) {
  std::size_t i = 0;
  while (i + 1 < units.size() && static_cast<double>(number) >= units[i + 1].size) ++i;
  char text[48];
  if (i == 0)
    std::snprintf(text, sizeof text, "%lld%s", static_cast<long long>(number), units[0].name);
  else
    std::snprintf(text, sizeof text, "%.2f%s", static_cast<double>(number) / units[i].size,
                  units[i].name);
  return text;
}

constexpr NumberUnit kCountUnits[] = {{1, ""}, {1e3, "k"}, {1e6, "m"}, {1e9, "b"}};
constexpr NumberUnit kByteUnits[] = {{1, "B"}, {1e3, "KB"}, {1e6, "MB"}};
constexpr NumberUnit kTimeUnits[] = {{1, "us"}, {1e3, "ms"}, {1e6, "sec"}};

}  // namespace

std::string count_text(std::int64_t count) { return with_unit(count, kCountUnits); }
std::string bytes_text(std::int64_t bytes) { return with_unit(bytes, kByteUnits); }
std::string micros_text(std::int64_t micros) { return with_unit(micros, kTimeUnits); }

std::string dims_text(const Dims& dims) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : dims) sizes.push_back(std::to_string(size));
  return sizes.empty() ? "unknown" : join(sizes, "x");
}

std::string shapes_text(const std::map<int, Dims>& shapes) {
  std::vector<std::string> texts;
  for (const auto& [index, dims] : shapes) texts.push_back(str_cat(index, ":", dims_text(dims)));
  return join(texts, "|");
}

}  // namespace rill::profiler
