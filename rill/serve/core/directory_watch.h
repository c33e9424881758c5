#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace rill::serve {

// Tells at once when something has come whole into one of some directories, or has gone: a renamed
// or linked entry, a file that was closed after writing. A directory that is made there is not yet
// whole. Where the system cannot tell (other machines' files, too many watches) nothing is told,
// and who waits has to look now and then. Safe from several threads at once.
class DirectoryWatch {
 public:
  DirectoryWatch();
  ~DirectoryWatch();
  DirectoryWatch(const DirectoryWatch&) = delete;
  DirectoryWatch& operator=(const DirectoryWatch&) = delete;

  // From now on these, as far as they are there. Called again it follows those that were replaced.
  void set(const std::set<std::string>& directories);
  // Until something is told, wake() was called, or the time is over.
  void wait(std::chrono::milliseconds time);
  void wake();

 private:
  bool take_events();

  int events_ = -1, waker_ = -1;  // -1: the system has none
  std::mutex mutex_;
  std::map<std::string, int> watches_;  // of directories
};

}  // namespace rill::serve
