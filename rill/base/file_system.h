#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rill {

// Every function here throws errors as TensorFlow classifies them (NotFound, PermissionDenied,
// AlreadyExists, FailedPrecondition, ...), with the path in the message.

// A file open for reading at any place, from several threads at once.
class ReadableFile {
 public:
  explicit ReadableFile(std::string path) : path_(std::move(path)) {}
  virtual ~ReadableFile() = default;
  // Fills `out` with what stands at `offset`; returns fewer bytes than asked only at the end.
  virtual std::size_t read(std::uint64_t offset, std::span<char> out) const = 0;
  virtual std::uint64_t size() const = 0;  // as it is now: files may grow while they are read
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A file open for writing at its end, by one thread at a time. Going away without close() writes
// what it can and reports nothing.
class WritableFile {
 public:
  explicit WritableFile(std::string path) : path_(std::move(path)) {}
  virtual ~WritableFile() = default;
  virtual void append(std::string_view bytes) = 0;
  virtual void flush() = 0;  // other readers of the file see everything appended so far
  virtual void sync() = 0;   // and so will readers after a crash of the machine
  virtual void close() = 0;  // flushes; the second call does nothing
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct FileFacts {
  std::uint64_t size = 0;
  std::int64_t modified_nanos = 0;  // since the Unix epoch; 0 where nobody knows
  bool is_directory = false;
};

enum class WriteMode { truncate, append };

struct NamedFacts {
  std::string name;
  FileFacts facts;
};

// One kind of place where files are. Paths are given whole, scheme included.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual std::unique_ptr<ReadableFile> open(const std::string& path) = 0;
  virtual std::unique_ptr<WritableFile> create(const std::string& path, WriteMode mode) = 0;
  virtual FileFacts facts(const std::string& path) = 0;
  // The names in a directory, without "." and "..", sorted.
  virtual std::vector<std::string> list(const std::string& directory) = 0;
  virtual void remove_file(const std::string& path) = 0;
  virtual void make_directory(const std::string& path) = 0;    // its parent must be there
  virtual void remove_directory(const std::string& path) = 0;  // must be empty
  // Replaces a file that is there, in one step: nobody ever sees half of it.
  virtual void rename(const std::string& from, const std::string& to) = 0;

  // What a file system of another machine can do at once, and others one by one.
  //
  // list() with the facts of each; of what cannot be seen they are empty.
  virtual std::vector<NamedFacts> list_with_facts(const std::string& directory);
  // False where copying or removing has to be done one by one.
  virtual bool copy_within(const std::string& from, const std::string& to);
  virtual bool remove_below(const std::string& directory);
  // Whether a file is there when it is closed or flushed and not before: then it needs no other
  // name while it is written, and a rename is a copy.
  virtual bool writes_whole_files() const { return false; }
};

// The file system of a path, by its scheme: none or file://, ram:// (in the memory of this
// process), http:// and https:// (for reading only), and those of stores/. Throws Unimplemented for
// other schemes.
FileSystem& file_system_of(std::string_view path);

// How often this process has asked for the file system of a path, or for a file as memory. By it
// tests see whether something uses files.
std::uint64_t file_system_uses();
void count_file_system_use();

// "scheme" of "scheme://rest", "" when there is none.
std::string_view scheme_of(std::string_view path);

// Those that exist; they live as long as the process.
FileSystem& local_files();
FileSystem& ram_files();
FileSystem& http_files();
// In stores/; made when a path first asks for them.
FileSystem& s3_files();
FileSystem& gcs_files();
FileSystem& azure_files();
FileSystem& webhdfs_files();
FileSystem& hdfs_files();

}  // namespace rill
