#pragma once

#include <map>
#include <string>

namespace rill::estimator {

// A directory below `export_dir_base` that is not there yet, named after the seconds since 1970, so
// that later ones have larger numbers. Waits for the next second where it is taken; throws
// FailedPrecondition after ten of them.
std::string get_timestamped_export_dir(const std::string& export_dir_base);
// Beside it, under a name that servers do not take for a version.
std::string get_temp_export_dir(const std::string& timestamped_export_dir);

// Copies files into the model's directory "assets.extra": where to -> the file.
void copy_extra_assets(const std::string& export_dir,
                       const std::map<std::string, std::string>& assets_extra);

// Deletes all but the `keep` latest of the directories that are named after a time.
void delete_old_exports(const std::string& export_dir_base, std::size_t keep);

}  // namespace rill::estimator
