#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/config/config.h"
#include "rill/api/io/gfile.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/graph/graph_def.h"

// tf.io.gfile, tf.logging, and other names of functions on files and programs.
namespace rill::gfile {
inline void copy(const std::string& oldpath, const std::string& newpath, bool overwrite = false) {
  return ::rill::gfile::Copy(oldpath, newpath, overwrite);
}
inline bool exists(const std::string& filename) { return ::rill::gfile::Exists(filename); }
inline std::vector<std::string> glob(const std::string& filename) {
  return ::rill::gfile::Glob(filename);
}
inline bool isdir(const std::string& dirname) { return ::rill::gfile::IsDirectory(dirname); }
inline std::vector<std::string> listdir(const std::string& dirname) {
  return ::rill::gfile::ListDirectory(dirname);
}
inline void makedirs(const std::string& dirname) { return ::rill::gfile::MakeDirs(dirname); }
inline void mkdir(const std::string& dirname) { return ::rill::gfile::MkDir(dirname); }
inline void remove(const std::string& filename) { return ::rill::gfile::Remove(filename); }
inline void rename(const std::string& oldname, const std::string& newname, bool overwrite = false) {
  return ::rill::gfile::Rename(oldname, newname, overwrite);
}
inline void rmtree(const std::string& dirname) { return ::rill::gfile::DeleteRecursively(dirname); }
inline FileFacts stat(const std::string& filename) { return ::rill::gfile::Stat(filename); }
inline std::vector<::rill::gfile::WalkedDirectory> walk(const std::string& top,
                                                        bool in_order = true) {
  return ::rill::gfile::Walk(top, in_order);
}
}  // namespace rill::gfile
namespace rill::logging {

template <class... Part>
void debug(const Part&... part) {
  log(Level::DEBUG, part...);
}
template <class... Part>
void warn(const Part&... part) {
  log(Level::WARN, part...);
}
// Does not end the process.
template <class... Part>
void fatal(const Part&... part) {
  log(Level::FATAL, part...);
}
template <class... Part>
void log_if(Level level, bool condition, const Part&... part) {
  if (condition) log(level, part...);
}
// Of the calls of one line of the program each n-th, or the first n.
struct LineOfLog {
  Level level;
  std::int64_t n;
  std::source_location at;
  LineOfLog(Level level, std::int64_t n, std::source_location at = std::source_location::current())
      : level(level), n(n), at(at) {}
};
std::int64_t times_logged_at(std::source_location at);  // and counts this time
template <class... Part>
void log_every_n(const LineOfLog& line, const Part&... part) {
  if (line.n > 0 && times_logged_at(line.at) % line.n == 0) log(line.level, part...);
}
template <class... Part>
void log_first_n(const LineOfLog& line, const Part&... part) {
  if (times_logged_at(line.at) < line.n) log(line.level, part...);
}
template <class... Part>
void vlog(Level level, const Part&... part) {
  log(level, part...);
}
void flush();  // standard error
}  // namespace rill::logging
namespace rill::config::optimizer {
inline bool get_jit() { return ::rill::config::get_optimizer_jit(); }
inline void set_jit(bool enabled) { return ::rill::config::set_optimizer_jit(enabled); }
inline std::map<std::string, bool> get_experimental_options() {
  return ::rill::config::get_optimizer_experimental_options();
}
inline void set_experimental_options(const std::map<std::string, bool>& options) {
  return ::rill::config::set_optimizer_experimental_options(options);
}
}  // namespace rill::config::optimizer
namespace rill::graph_util {
using ::rill::import_graph_def;
}  // namespace rill::graph_util
