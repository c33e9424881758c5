#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rill/base/file_system.h"
#include "rill/io/input_stream.h"

namespace rill::gfile {

// Files and directories of every file system that there is (base/file_system.h), under the names
// that TensorFlow has for what is done with them. Throw NotFound, PermissionDenied, AlreadyExists,
// FailedPrecondition with the path.
bool Exists(const std::string& filename);
bool IsDirectory(const std::string& dirname);
void Remove(const std::string& filename);
void MkDir(const std::string& dirname);  // fine when it is there
void MakeDirs(const std::string& dirname);
void DeleteRecursively(const std::string& dirname);
void Copy(const std::string& oldpath, const std::string& newpath, bool overwrite = false);
void Rename(const std::string& oldname, const std::string& newname, bool overwrite = false);
std::vector<std::string> Glob(const std::string& filename);
std::vector<std::string> ListDirectory(const std::string& dirname);
FileFacts Stat(const std::string& filename);

// One directory: its path, and the names of what is in it.
struct WalkedDirectory {
  std::string path;
  std::vector<std::string> directories, files;
};
WalkedDirectory walk_one(const std::string& top);  // throws NotFound
// The directory and those below it, each before its own (`in_order`) or behind them.
std::vector<WalkedDirectory> Walk(const std::string& top, bool in_order = true);

// An open file. Reading and writing begin when they are first asked for. Not safe from several
// threads.
class GFile {
 public:
  // `mode`: r, w, a, r+, w+ or a+, and b where bytes are no text. Throws InvalidArgument for
  // others.
  explicit GFile(std::string name, std::string mode = "r");
  ~GFile();  // closes; an error then is not seen

  const std::string& name() const { return name_; }
  const std::string& mode() const { return mode_; }
  std::uint64_t size() const;

  // These throw PermissionDenied where the mode does not allow them.
  std::string read(std::optional<std::size_t> count = {});  // none: all that follows
  std::string readline();  // with its "\n", without "\r"; empty at the end
  std::vector<std::string> readlines();
  // From the start (whence 0), from here (1), from the end (2). Throws OutOfRange beyond the end,
  // where it then is.
  void seek(std::int64_t offset, int whence = 0);
  std::uint64_t tell();
  void write(std::string_view bytes);
  void flush();
  void close();  // what is done later opens the file again

 private:
  FileInput& input();
  WritableFile& output();

  std::string name_, mode_;
  bool can_read_ = false, can_write_ = false;
  std::unique_ptr<FileInput> input_;
  std::unique_ptr<WritableFile> output_;
  std::uint64_t written_to_ = 0;  // where the next byte will stand
};
using FastGFile = GFile;
using Open = GFile;

}  // namespace rill::gfile

namespace rill::io {
namespace gfile = rill::gfile;
}  // namespace rill::io
