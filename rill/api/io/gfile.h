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

// Files and directories of every file system that there is (base/file_system.h: local files,
// ram://, http:// and https:// for reading, s3://, gs://, hdfs://, webhdfs://), under TensorFlow's
// names.
//
//   for (const std::string& path : gfile::Glob("data/part-*")) gfile::Copy(path, "ram://" + path);
//   const std::string text = gfile::GFile("notes.txt").read();
//
// Errors are those of tf.errors and name the path: NotFound, PermissionDenied, AlreadyExists,
// FailedPrecondition (a directory where a file is needed, or not empty), Unimplemented for a scheme
// that is not known.
//
// Exists and IsDirectory are false for what is missing or may not be seen.
bool Exists(const std::string& filename);
bool IsDirectory(const std::string& dirname);
// A file, no directory. Throws NotFound where there is none.
void Remove(const std::string& filename);
void MkDir(const std::string& dirname);  // fine when it is there
// With its parents; fine when it is there. FailedPrecondition where a part of the path is a file.
void MakeDirs(const std::string& dirname);
// A directory with all below it, or a file. Links to directories are removed, not followed.
// NotFound where there is none.
void DeleteRecursively(const std::string& dirname);
// Throw AlreadyExists when the target is there, unless `overwrite`. Copying goes from one file
// system to another, too; renaming throws Unimplemented there. A rename replaces its target in one
// step.
void Copy(const std::string& oldpath, const std::string& newpath, bool overwrite = false);
void Rename(const std::string& oldname, const std::string& newname, bool overwrite = false);
// The paths that fit the pattern, sorted; empty where none does. `*`, `?` and `[...]` do not reach
// over a slash.
std::vector<std::string> Glob(const std::string& filename);
// The names, sorted, without "." and ".."; throws NotFound unless it is a directory.
std::vector<std::string> ListDirectory(const std::string& dirname);
FileFacts Stat(const std::string& filename);

// One directory: its path, and the names of what is in it.
struct WalkedDirectory {
  std::string path = {};
  std::vector<std::string> directories = {}, files = {};
};
WalkedDirectory walk_one(const std::string& top);  // throws NotFound
// The directory and those below it, each before its own (`in_order`) or behind them. Empty where
// `top` is no directory. All is read before the function returns; walk_one() serves whoever wants
// to stop earlier.
std::vector<WalkedDirectory> Walk(const std::string& top, bool in_order = true);

// An open file. The constructor touches nothing: the file is opened, or made, by the first read or
// write, so NotFound comes then. Reading and writing have each a position of their own. Not safe
// from several threads.
//
//   gfile::GFile out("log.txt", "a");
//   out.write("one line\n");
//   out.close();  // errors of the last bytes are thrown here; the destructor hides them
class GFile {
 public:
  // `mode`: r, w, a, r+, w+ or a+, and b where bytes are no text. Throws InvalidArgument for
  // others.
  explicit GFile(std::string name, std::string mode = "r");
  ~GFile();  // closes; an error then is not seen

  const std::string& name() const { return name_; }
  const std::string& mode() const { return mode_; }
  // As it is on disk now, without what is not flushed yet. Throws NotFound where there is no file.
  std::uint64_t size() const;

  // These throw PermissionDenied where the mode does not allow them. At the end they return less
  // than was asked for, or nothing; no error.
  std::string read(std::optional<std::size_t> count = {});  // none: all that follows
  std::string readline();  // with its "\n", without "\r"; empty at the end
  // All that follow.
  std::vector<std::string> readlines();
  // Moves where reading goes on: from the start (whence 0), from here (1), from the end (2). Throws
  // InvalidArgument before the start or for another whence; OutOfRange beyond the end, and reading
  // then goes on at the end. Writes are always at the end of what was written.
  void seek(std::int64_t offset, int whence = 0);
  // Of reading if the mode allows reading, else of writing; opens the file where it is not open
  // yet.
  std::uint64_t tell();
  // "w" empties the file at the first write. Nothing is promised to be in the file before flush().
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
