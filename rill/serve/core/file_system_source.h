#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "rill/serve/core/source.h"

namespace rill::serve {

// Which of the versions that there are.
struct LatestVersions {
  std::size_t count = 1;
};
struct AllVersions {};
struct SpecificVersions {
  std::vector<std::int64_t> versions;
};
using VersionChoice = std::variant<LatestVersions, AllVersions, SpecificVersions>;

struct WatchedModel {
  std::string base_path;
  VersionChoice choice;
};
using WatchedModels = std::map<std::string, WatchedModel>;  // by name

struct FileSystemSourceOptions {
  // Between two looks, where the system does not tell of changes earlier; 0: look once; negative:
  // never.
  std::int64_t poll_wait_seconds = 1;
  bool always_present = false;  // an empty directory changes nothing
  // Whether a version was found not to load; may be empty. Of the latest versions the next older
  // is taken beside such a one, which is tried again when its files change.
  std::function<bool(const std::string& name, std::int64_t version)> is_broken;
};

// Looks for versions, which are directories named by a number, in the directories of models.
class FileSystemSource : public PathSource {
 public:
  explicit FileSystemSource(const FileSystemSourceOptions& options);
  ~FileSystemSource() override;

  void connect(Target<std::string> target) override;
  // From now on these and no others; what is gone has its versions taken away. Looks at once.
  void watch(WatchedModels models);
  void look_again();  // at once

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The versions below `base_path`, by number. Throws what listing the directory throws. Of two names
// of one number the later is taken, and `clash` told.
std::map<std::int64_t, std::string> versions_below(const std::string& base_path,
                                                   std::string* clash = nullptr);
// Of these those that are wanted.
std::map<std::int64_t, std::string> chosen(const VersionChoice& choice,
                                           const std::map<std::int64_t, std::string>& versions,
                                           const std::function<bool(std::int64_t)>& is_broken = {});

}  // namespace rill::serve
