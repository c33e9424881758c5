#include "rill/api/estimator/export/export_directory.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "rill/api/io/gfile.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/train/misuse.h"
#include "rill/base/blocking.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"

namespace rill::estimator {
namespace {

constexpr int kAttempts = 10;
constexpr std::size_t kTimeDigits = 10;

bool is_time(std::string_view name) {
  return name.size() == kTimeDigits &&
         std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string get_timestamped_export_dir(const std::string& export_dir_base) {
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    using namespace std::chrono;
    const auto now = duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
    const std::string directory = join_path(export_dir_base, str_cat(now));
    // Another process may be at work on one of this second.
    if (!gfile::Exists(directory) && !gfile::Exists(get_temp_export_dir(directory)))
      return directory;
    {
      const Blocking waiting;
      std::this_thread::sleep_for(seconds(1));
    }
    logging::warning("Directory ", directory, " already exists; retrying (attempt ", attempt, "/",
                     kAttempts, ")");
  }
  train::misuse(Code::kFailedPrecondition, "Failed to obtain a unique export directory name after ",
                kAttempts, " attempts.");
}

std::string get_temp_export_dir(const std::string& timestamped_export_dir) {
  return join_path(parent_path(timestamped_export_dir),
                   str_cat("temp-", base_name(timestamped_export_dir)));
}

void copy_extra_assets(const std::string& export_dir,
                       const std::map<std::string, std::string>& assets_extra) {
  for (const auto& [where, source] : assets_extra) {
    const std::string target = join_path(join_path(export_dir, "assets.extra"), where);
    gfile::MakeDirs(parent_path(target));
    gfile::Copy(source, target);
  }
}

void delete_old_exports(const std::string& export_dir_base, std::size_t keep) {
  std::vector<std::string> times;
  for (std::string name : gfile::ListDirectory(export_dir_base)) {
    if (name.ends_with('/')) name.pop_back();
    if (is_time(name)) times.push_back(std::move(name));
  }
  std::ranges::sort(times, std::greater());
  for (std::size_t i = keep; i < times.size(); ++i) {
    const std::string path = join_path(export_dir_base, times[i]);
    try {
      gfile::DeleteRecursively(path);
    } catch (const Error& error) {
      if (error.code() != Code::kNotFound) throw;
      logging::warning("Can not delete ", path, " recursively: ", error.message());
    }
  }
}

}  // namespace rill::estimator
