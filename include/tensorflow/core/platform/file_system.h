#ifndef TENSORFLOW_CORE_PLATFORM_FILE_SYSTEM_H_
#define TENSORFLOW_CORE_PLATFORM_FILE_SYSTEM_H_

#include <memory>
#include <string>
#include <vector>

#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {

class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() {}
  virtual Status Name(StringPiece*) const { return errors::Unimplemented("no name"); }
  // Reads up to n bytes into scratch; OutOfRange when fewer are left.
  virtual Status Read(uint64 offset, size_t n, StringPiece* result, char* scratch) const = 0;
};

class WritableFile {
 public:
  virtual ~WritableFile() {}
  virtual Status Append(StringPiece data) = 0;
  virtual Status Close() = 0;
  virtual Status Flush() = 0;
  virtual Status Sync() = 0;
  virtual Status Name(StringPiece*) const { return errors::Unimplemented("no name"); }
  virtual Status Tell(int64*) { return errors::Unimplemented("no position"); }
};

class ReadOnlyMemoryRegion {
 public:
  virtual ~ReadOnlyMemoryRegion() {}
  virtual const void* data() = 0;
  virtual uint64 length() = 0;
};

struct FileStatistics {
  FileStatistics() : length(-1), mtime_nsec(0), is_directory(false) {}
  int64 length, mtime_nsec;
  bool is_directory;
};

// One kind of place where files are, for REGISTER_FILE_SYSTEM (env.h). Names are given whole,
// scheme included. What is not pure here is done through the others.
class FileSystem {
 public:
  virtual ~FileSystem() {}
  virtual Status NewRandomAccessFile(const string& fname,
                                     std::unique_ptr<RandomAccessFile>* result) = 0;
  virtual Status NewWritableFile(const string& fname, std::unique_ptr<WritableFile>* result) = 0;
  virtual Status NewAppendableFile(const string& fname, std::unique_ptr<WritableFile>* result) = 0;
  virtual Status NewReadOnlyMemoryRegionFromFile(const string& fname,
                                                 std::unique_ptr<ReadOnlyMemoryRegion>* result) = 0;
  virtual Status FileExists(const string& fname) = 0;
  virtual bool FilesExist(const std::vector<string>& files, std::vector<Status>* status);
  virtual Status GetChildren(const string& dir, std::vector<string>* result) = 0;
  virtual Status GetMatchingPaths(const string& pattern, std::vector<string>* results) = 0;
  virtual Status Stat(const string& fname, FileStatistics* stat) = 0;
  virtual Status DeleteFile(const string& fname) = 0;
  virtual Status CreateDir(const string& dirname) = 0;
  virtual Status RecursivelyCreateDir(const string& dirname);
  virtual Status DeleteDir(const string& dirname) = 0;
  virtual Status DeleteRecursively(const string& dirname, int64* undeleted_files,
                                   int64* undeleted_dirs);
  virtual Status GetFileSize(const string& fname, uint64* file_size) = 0;
  virtual Status RenameFile(const string& src, const string& target) = 0;
  virtual Status CopyFile(const string& src, const string& target);
  virtual string TranslateName(const string& name) const { return name; }
  virtual Status IsDirectory(const string& fname);
  virtual void FlushCaches() {}
};

}  // namespace tensorflow

#endif
