#include "rill/api/training/progress_bar.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "rill/base/clock.h"
#include "rill/base/text.h"

namespace rill::train {
namespace {

constexpr std::int64_t kBetweenNanos = 200'000'000;
constexpr const char* kEraseLine = "\r\x1b[K";

template <class... Number>
std::string formatted(const char* format, Number... number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number...);
  return text;
}

std::string duration_text(double secs) {
  if (!(secs < 360000)) return "long";
  const auto whole = static_cast<long long>(std::llround(secs));
  if (whole >= 3600)
    return formatted("%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
  return formatted("%lld:%02lld", whole / 60, whole % 60);
}

std::string bar_text(double part, std::size_t columns) {
  const double filled = std::clamp(part, 0.0, 1.0) * static_cast<double>(columns);
  std::string bar(static_cast<std::size_t>(filled), '=');
  if (bar.size() < columns) bar += '>';
  return str_cat("[", bar, std::string(columns - bar.size(), ' '), "]");
}

bool wanted_by_environment() {
  const char* const text = std::getenv("RILL_PROGRESS");
  return text == nullptr || std::string_view(text) != "0";
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

std::string progress_line(const Progress& progress, std::size_t width) {
  std::string text = str_cat("step ", progress.step);
  if (progress.last_step) text += str_cat("/", *progress.last_step);
  if (progress.steps_per_sec) text += formatted("  %.4g steps/s", *progress.steps_per_sec);
  if (progress.loss) text += formatted("  loss %.5g", *progress.loss);
  if (progress.last_step && progress.steps_per_sec && *progress.steps_per_sec > 0) {
    const auto left = std::max<std::int64_t>(*progress.last_step - progress.step, 0);
    text +=
        str_cat("  ", duration_text(static_cast<double>(left) / *progress.steps_per_sec), " left");
  }
  constexpr std::size_t kBarColumns = 20;
  if (progress.last_step && text.size() + kBarColumns + 3 <= width) {
    const std::int64_t first = progress.first_step.value_or(0);
    const std::int64_t all = std::max<std::int64_t>(*progress.last_step - first, 1);
    text = str_cat(bar_text(static_cast<double>(progress.step - first) / static_cast<double>(all),
                            kBarColumns),
                   " ", text);
  }
  return text.substr(0, width);
}

void ProgressBar::set_last_step(std::int64_t step) {
  if (!on_) return;
  const std::lock_guard lock(mutex_);
  progress_.last_step = step;
}

void ProgressBar::set_loss(double loss) {
  if (!on_) return;
  const std::lock_guard lock(mutex_);
  progress_.loss = loss;
}

void ProgressBar::set_speed(double steps_per_sec) {
  if (!on_) return;
  const std::lock_guard lock(mutex_);
  progress_.steps_per_sec = steps_per_sec;
}

void ProgressBar::at_step(std::int64_t step) {
  if (!on_) return;
  const std::int64_t now = monotonic_nanos();
  const std::lock_guard lock(mutex_);
  progress_.step = step;
  if (!progress_.first_step) {
    progress_.first_step = step;
    begun_nanos_ = now;
  }
  if (now - drawn_nanos_ < kBetweenNanos) return;
  Progress shown = progress_;
  // Until somebody measures the speed, it is that since the first step.
  if (!shown.steps_per_sec && step > *shown.first_step)
    shown.steps_per_sec = static_cast<double>(step - *shown.first_step) * 1e9 /
                          static_cast<double>(now - begun_nanos_);
  write_(kEraseLine + progress_line(shown, width_()));
  is_drawn_ = true;
  drawn_nanos_ = now;
}

void ProgressBar::erase() {
  if (is_drawn_) write_(kEraseLine);
  is_drawn_ = false;
}

void ProgressBar::hide() {
  if (!on_) return;
  const std::lock_guard lock(mutex_);
  erase();
}

void ProgressBar::finish() {
  if (!on_) return;
  const std::lock_guard lock(mutex_);
  erase();
  progress_ = {};
  drawn_nanos_ = 0;
}

ProgressBar& progress_bar() {
  static ProgressBar& bar = *new ProgressBar(  // outlives everything that may write
      isatty(STDERR_FILENO) != 0 && wanted_by_environment(), terminal_width,
      [](const std::string& text) {
        std::fwrite(text.data(), 1, text.size(), stderr);
        std::fflush(stderr);
      });
  return bar;
}

}  // namespace rill::train
