// File systems of programs that were written for TensorFlow's headers, as the library's own.
#include "tensorflow/core/platform/file_system.h"

#include <algorithm>

#include "rill/base/file_system_registry.h"
#include "rill/base/files.h"
#include "rill/compat/convert.h"
#include "tensorflow/core/platform/env.h"

namespace tensorflow {
namespace {

class ForeignReadable final : public rill::ReadableFile {
 public:
  ForeignReadable(const string& path, FileSystem& files, std::unique_ptr<RandomAccessFile> file)
      : ReadableFile(path), files_(files), file_(std::move(file)) {}
  std::size_t read(std::uint64_t offset, std::span<char> out) const override {
    StringPiece found;
    const Status status = file_->Read(offset, out.size(), &found, out.data());
    if (status.code() != error::OUT_OF_RANGE) throw_if_error(status);  // the end came early
    rill::require(found.size() <= out.size(), path(), ": more was read than was asked for");
    if (found.data() != out.data()) std::copy_n(found.data(), found.size(), out.data());
    return found.size();
  }
  std::uint64_t size() const override {
    uint64 size = 0;
    throw_if_error(files_.GetFileSize(path(), &size));
    return size;
  }

 private:
  FileSystem& files_;
  std::unique_ptr<RandomAccessFile> file_;
};

class ForeignWritable final : public rill::WritableFile {
 public:
  ForeignWritable(const string& path, std::unique_ptr<tensorflow::WritableFile> file)
      : rill::WritableFile(path), file_(std::move(file)) {}
  ~ForeignWritable() override { close_once().IgnoreError(); }
  void append(std::string_view bytes) override {
    throw_if_error(file_->Append(StringPiece(bytes.data(), bytes.size())));
  }
  void flush() override { throw_if_error(file_->Flush()); }
  void sync() override { throw_if_error(file_->Sync()); }
  void close() override { throw_if_error(close_once()); }

 private:
  Status close_once() {
    if (std::exchange(closed_, true)) return Status::OK();
    return file_->Close();
  }
  std::unique_ptr<tensorflow::WritableFile> file_;
  bool closed_ = false;
};

class ForeignFiles final : public rill::FileSystem {
 public:
  explicit ForeignFiles(std::unique_ptr<tensorflow::FileSystem> files) : files_(std::move(files)) {}

  std::unique_ptr<rill::ReadableFile> open(const std::string& path) override {
    std::unique_ptr<RandomAccessFile> file;
    throw_if_error(files_->NewRandomAccessFile(path, &file));
    return std::make_unique<ForeignReadable>(path, *files_, std::move(file));
  }
  std::unique_ptr<rill::WritableFile> create(const std::string& path,
                                             rill::WriteMode mode) override {
    std::unique_ptr<WritableFile> file;
    throw_if_error(mode == rill::WriteMode::append ? files_->NewAppendableFile(path, &file)
                                                   : files_->NewWritableFile(path, &file));
    return std::make_unique<ForeignWritable>(path, std::move(file));
  }
  rill::FileFacts facts(const std::string& path) override {
    FileStatistics stat;
    throw_if_error(files_->Stat(path, &stat));
    return {static_cast<std::uint64_t>(std::max<int64>(stat.length, 0)), stat.mtime_nsec,
            stat.is_directory};
  }
  std::vector<std::string> list(const std::string& directory) override {
    std::vector<std::string> names;
    throw_if_error(files_->GetChildren(directory, &names));
    for (std::string& name : names)
      if (name.ends_with("/")) name.pop_back();
    std::ranges::sort(names);
    return names;
  }
  void remove_file(const std::string& path) override { throw_if_error(files_->DeleteFile(path)); }
  void make_directory(const std::string& path) override { throw_if_error(files_->CreateDir(path)); }
  void remove_directory(const std::string& path) override {
    throw_if_error(files_->DeleteDir(path));
  }
  void rename(const std::string& from, const std::string& to) override {
    throw_if_error(files_->RenameFile(from, to));
  }

 private:
  std::unique_ptr<tensorflow::FileSystem> files_;
};

}  // namespace

bool FileSystem::FilesExist(const std::vector<string>& files, std::vector<Status>* status) {
  bool all = true;
  for (const string& file : files) {
    const Status found = FileExists(file);
    all = all && found.ok();
    if (status != nullptr) status->push_back(found);
  }
  return all;
}
Status FileSystem::RecursivelyCreateDir(const string& dirname) {
  return guarded([&] { rill::make_directories(dirname); });
}
Status FileSystem::DeleteRecursively(const string& dirname, int64* undeleted_files,
                                     int64* undeleted_dirs) {
  *undeleted_files = *undeleted_dirs = 0;
  return guarded([&] { rill::remove_tree(dirname); });
}
Status FileSystem::CopyFile(const string& src, const string& target) {
  return guarded([&] { rill::copy_file(src, target, /*overwrite=*/true); });
}
Status FileSystem::IsDirectory(const string& fname) {
  FileStatistics stat;
  TF_RETURN_IF_ERROR(Stat(fname, &stat));
  return stat.is_directory ? Status::OK() : errors::FailedPrecondition("Not a directory");
}

Status Env::RegisterFileSystem(const string& scheme, FileSystemFactory factory) {
  return guarded([&] {
    rill::register_file_system(
        scheme, std::make_unique<ForeignFiles>(std::unique_ptr<FileSystem>(factory())));
  });
}
Status Env::GetRegisteredFileSystemSchemes(std::vector<string>* schemes) {
  *schemes = rill::file_system_schemes();
  return Status::OK();
}

}  // namespace tensorflow
