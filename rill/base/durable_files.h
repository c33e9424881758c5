#pragma once

#include <string>
#include <string_view>

#include "rill/base/file_system.h"

namespace rill {

// What is saved (checkpoints, models, graphs, records, events) is forced to the disk before anybody
// is told that it is there: first the file, then the directory that has its name. RILL_FSYNC=0 in
// the environment, or set_durable_files(false), leaves that to the operating system: saving is
// quicker, and a crash of the machine may take what was saved in the last half minute.
bool durable_files();
void set_durable_files(bool wanted);

// A file system that can lose what it was not told to keep. One that does not say so keeps
// everything, or can do nothing about it.
class CrashSafeFiles {
 public:
  virtual ~CrashSafeFiles() = default;
  // The bytes of a file, or the names in a directory, are there after a crash of the machine.
  virtual void sync_path(const std::string& path) = 0;
  // A second name for a file; false where it cannot be done.
  virtual bool link(const std::string& from, const std::string& to) = 0;
};
// Those of a path; null where there is nothing to be told.
CrashSafeFiles* crash_safe_files(const std::string& path);

// These do nothing, or no more than flush, while files are not durable.
void sync_written(WritableFile& file);
void sync_file(const std::string& path);            // one that is closed already
void sync_directory(const std::string& directory);  // the names in it; "" is the current one
void sync_parent(const std::string& path);          // the name of this file

// write_file() (files.h), made durable.
void publish_file(const std::string& path, std::string_view bytes);
// What both do: the bytes go into a file of another name, which then takes the place of the old
// one.
void replace_file(const std::string& path, std::string_view bytes, bool durable);
// A file with everything in it gets its proper name. The old one stays if that fails.
void publish_as(const std::string& temporary, const std::string& path);
// make_directories() (files.h), made durable where there was none.
void make_durable_directories(const std::string& path);

}  // namespace rill
