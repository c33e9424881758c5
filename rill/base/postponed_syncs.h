#pragma once

#include <string>

namespace rill {

// While this lives, new files whose names begin with `prefix`, and their directory, are not forced
// to the disk by who writes them: sync_files_of() does it later, where it holds up nobody. Not for
// a file that replaces another, which must be on the disk before that one goes. Several may live at
// once, on any threads.
class PostponedSyncs {
 public:
  explicit PostponedSyncs(std::string prefix);
  ~PostponedSyncs();
  PostponedSyncs(const PostponedSyncs&) = delete;
  PostponedSyncs& operator=(const PostponedSyncs&) = delete;

  // Whether somebody postpones the syncs of this file or directory.
  static bool covers(const std::string& path);

 private:
  const std::string prefix_;
};

// Forces the files whose names begin with `prefix` to the disk, and then the names.
void sync_files_of(const std::string& prefix);

}  // namespace rill
