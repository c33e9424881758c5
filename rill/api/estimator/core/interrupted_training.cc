#include "rill/api/estimator/core/interrupted_training.h"

#include <charconv>

#include "rill/api/io/gfile.h"
#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"

namespace rill::estimator {
namespace {

constexpr const char* kDirectory = "unfinished";
constexpr const char* kEvaluated = "evaluated";
constexpr std::string_view kPosition = "position-";

}  // namespace

InterruptedTraining::InterruptedTraining(std::string model_dir)
    : model_dir_(std::move(model_dir)),
      directory_(join_path(model_dir_, kDirectory)),
      is_resumed_(gfile::Exists(directory_)) {}

std::optional<std::int64_t> InterruptedTraining::evaluated_step() const {
  const std::string path = join_path(directory_, kEvaluated);
  if (!gfile::Exists(path)) return {};
  const std::string text = read_file(path);
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return step;
}

void InterruptedTraining::set_evaluated_step(std::int64_t step) const {
  gfile::MakeDirs(directory_);
  const std::string path = join_path(directory_, kEvaluated);
  publish_file(path, str_cat(step));
}

std::string InterruptedTraining::position_path(std::int64_t step) const {
  return join_path(directory_, str_cat(kPosition, step));
}

bool InterruptedTraining::has_position(std::int64_t step) const {
  return gfile::Exists(position_path(step) + ".index");
}

void InterruptedTraining::keep_only(std::int64_t step) const {
  if (!gfile::Exists(directory_)) return;
  const std::string kept = str_cat(kPosition, step, ".");
  for (const std::string& name : gfile::ListDirectory(directory_))
    if (name.starts_with(kPosition) && !name.starts_with(kept))
      gfile::Remove(join_path(directory_, name));
}

void InterruptedTraining::finish() const {
  if (gfile::Exists(directory_)) gfile::DeleteRecursively(directory_);
}

}  // namespace rill::estimator
