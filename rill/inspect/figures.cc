#include "rill/inspect/figures.h"

#include <cmath>
#include <cstdio>

namespace rill::inspect {
namespace {

std::string written(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::string fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string digits(double value) { return std::isfinite(value) ? written("%.9g", value) : "null"; }

std::string time_text(double seconds) {
  if (seconds >= 1) return written("%.2f s", seconds);
  if (seconds >= 1e-3) return written("%.2f ms", seconds * 1e3);
  return written("%.1f us", seconds * 1e6);
}

}  // namespace rill::inspect
