#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace rill::train {

// What is known of a training.
struct Progress {
  std::int64_t step = 0;
  std::optional<std::int64_t> first_step = {}, last_step = {};
  std::optional<double> steps_per_sec = {}, loss = {};
};

// One line of at most `width` columns: steps done, speed, loss, time left.
std::string progress_line(const Progress& progress, std::size_t width);

// A line at the bottom of a terminal that hooks keep up to date. On anything but a terminal, and
// with RILL_PROGRESS=0, it does nothing.
class ProgressBar {
 public:
  using Write = std::function<void(const std::string&)>;
  ProgressBar(bool on, std::function<std::size_t()> width, Write write)
      : on_(on), width_(std::move(width)), write_(std::move(write)) {}

  bool is_on() const { return on_; }
  void set_last_step(std::int64_t step);
  void set_loss(double loss);
  void set_speed(double steps_per_sec);
  // Draws, but not more often than a few times in a second.
  void at_step(std::int64_t step);
  // Takes the line away while somebody writes to the terminal; the next step draws it again.
  void hide();
  void finish();  // the training is over

 private:
  void erase();

  const bool on_;
  const std::function<std::size_t()> width_;
  const Write write_;
  std::mutex mutex_;
  Progress progress_;
  bool is_drawn_ = false;
  std::int64_t drawn_nanos_ = 0, begun_nanos_ = 0;
};

ProgressBar& progress_bar();  // of this process's standard error

}  // namespace rill::train
