#pragma once

#include <string>

namespace rill::debugger {

// A directory for the dumps of one run, which goes with this object.
class DumpPlace {
 public:
  explicit DumpPlace(std::string path = "");  // "": a new one below TMPDIR
  ~DumpPlace();
  DumpPlace(const DumpPlace&) = delete;
  DumpPlace& operator=(const DumpPlace&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

}  // namespace rill::debugger
