#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace rill {

// Keeps something to one owner at a time, among all processes that see the file: a file that is
// there while it is owned and says by whom. The operating system lets go of it when the owner dies,
// so a file that was left behind is in nobody's way. Where a place knows no locks (ram://, some
// network file systems, directories that may not be written), everybody owns everything.
class LockFile {
 public:
  // Throws FailedPrecondition when it is owned: "`what` by process 17 of host; see `path`".
  static std::shared_ptr<LockFile> take(const std::string& path, std::string_view what);
  ~LockFile();  // removes the file
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  // One line more in the file, for whoever finds it when this process was killed.
  void note(std::string_view line);

  // Takes over a file that a dead owner left behind and returns its notes; nothing when there is
  // none. The file goes with the result.
  struct Left {
    std::shared_ptr<LockFile> lock;
    std::string notes;
  };
  static std::optional<Left> take_left(const std::string& path);

 private:
  LockFile(std::string path, int file) : path_(std::move(path)), file_(file) {}
  const std::string path_;
  const int file_;  // -1: no locks there
};

// A second name for a file; a file that has that name goes first. False where it cannot be done.
bool replace_by_link(const std::string& from, const std::string& to);

}  // namespace rill
