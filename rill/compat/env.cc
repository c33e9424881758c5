#include "tensorflow/core/platform/env.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/thread_pool.h"
#include "rill/compat/convert.h"

namespace tensorflow {
namespace {

namespace fs = std::filesystem;

class RandomAccessFileAdapter final : public RandomAccessFile {
 public:
  explicit RandomAccessFileAdapter(std::unique_ptr<rill::ReadableFile> file)
      : file_(std::move(file)) {}
  Status Read(uint64 offset, size_t n, StringPiece* result, char* scratch) const override {
    size_t done = 0;
    TF_RETURN_IF_ERROR(guarded([&] { done = file_->read(offset, {scratch, n}); }));
    *result = StringPiece(scratch, done);
    return done == n ? Status::OK() : errors::OutOfRange("Read less bytes than requested");
  }

 private:
  std::unique_ptr<rill::ReadableFile> file_;
};

class WritableFileAdapter final : public WritableFile {
 public:
  explicit WritableFileAdapter(std::unique_ptr<rill::WritableFile> file) : file_(std::move(file)) {}
  Status Append(StringPiece data) override {
    return guarded([&] { file_->append(to_rill(data)); });
  }
  Status Close() override {
    return guarded([&] { file_->close(); });
  }
  Status Flush() override {
    return guarded([&] { file_->flush(); });
  }
  Status Sync() override {
    return guarded([&] { file_->sync(); });
  }

 private:
  std::unique_ptr<rill::WritableFile> file_;
};

class PosixThread final : public Thread {
 public:
  explicit PosixThread(std::function<void()> fn) : thread_(std::move(fn)) {}
  ~PosixThread() override { thread_.join(); }

 private:
  std::thread thread_;
};

Status open_writer(const string& fname, rill::WriteMode mode,
                   std::unique_ptr<WritableFile>* result) {
  return guarded([&] {
    result->reset(new WritableFileAdapter(rill::file_system_of(fname).create(fname, mode)));
  });
}

class DefaultEnv final : public Env {};

}  // namespace

Thread::~Thread() {}

Env* Env::Default() {
  static DefaultEnv& env = *new DefaultEnv;
  return &env;
}

Status Env::NewRandomAccessFile(const string& fname, std::unique_ptr<RandomAccessFile>* result) {
  return guarded(
      [&] { result->reset(new RandomAccessFileAdapter(rill::file_system_of(fname).open(fname))); });
}
Status Env::NewWritableFile(const string& fname, std::unique_ptr<WritableFile>* result) {
  return open_writer(fname, rill::WriteMode::truncate, result);
}
Status Env::NewAppendableFile(const string& fname, std::unique_ptr<WritableFile>* result) {
  return open_writer(fname, rill::WriteMode::append, result);
}
Status Env::FileExists(const string& fname) {
  bool found = false;
  TF_RETURN_IF_ERROR(guarded([&] { found = rill::file_exists(fname); }));
  return found ? Status::OK() : errors::NotFound(fname, " not found");
}
bool Env::FilesExist(const std::vector<string>& files, std::vector<Status>* status) {
  bool all = true;
  for (const string& file : files) {
    const Status found = FileExists(file);
    all = all && found.ok();
    if (status != nullptr) status->push_back(found);
  }
  return all;
}
Status Env::GetChildren(const string& dir, std::vector<string>* result) {
  result->clear();
  return guarded([&] { *result = rill::file_system_of(dir).list(dir); });
}
Status Env::GetMatchingPaths(const string& pattern, std::vector<string>* results) {
  results->clear();
  return guarded([&] { *results = rill::matching_paths(pattern); });
}
Status Env::DeleteFile(const string& fname) {
  return guarded([&] { rill::file_system_of(fname).remove_file(fname); });
}
Status Env::CreateDir(const string& dirname) {
  return guarded([&] { rill::file_system_of(dirname).make_directory(dirname); });
}
Status Env::RecursivelyCreateDir(const string& dirname) {
  return guarded([&] { rill::make_directories(dirname); });
}
Status Env::DeleteDir(const string& dirname) {
  return guarded([&] { rill::file_system_of(dirname).remove_directory(dirname); });
}
Status Env::DeleteRecursively(const string& dirname, int64* undeleted_files,
                              int64* undeleted_dirs) {
  *undeleted_files = 0;
  const Status removed = guarded([&] { rill::remove_tree(dirname); });
  *undeleted_dirs = removed.ok() ? 0 : 1;
  return removed;
}
Status Env::GetFileSize(const string& fname, uint64* file_size) {
  return guarded([&] { *file_size = rill::file_system_of(fname).facts(fname).size; });
}
Status Env::RenameFile(const string& src, const string& target) {
  return guarded([&] { rill::rename_file(src, target, /*overwrite=*/true); });
}
Status Env::CopyFile(const string& src, const string& target) {
  return guarded([&] { rill::copy_file(src, target, /*overwrite=*/true); });
}
Status Env::IsDirectory(const string& fname) {
  FileStatistics stat;
  TF_RETURN_IF_ERROR(Stat(fname, &stat));
  return stat.is_directory ? Status::OK() : errors::FailedPrecondition("Not a directory");
}
Status Env::Stat(const string& fname, FileStatistics* result) {
  return guarded([&] {
    const rill::FileFacts facts = rill::file_system_of(fname).facts(fname);
    result->length = static_cast<int64>(facts.size);
    result->mtime_nsec = facts.modified_nanos;
    result->is_directory = facts.is_directory;
  });
}
string Env::GetExecutablePath() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}
bool Env::LocalTempFilename(string* filename) {
  std::error_code error;
  string pattern = (fs::temp_directory_path(error) / "rill_XXXXXX").string();
  const int fd = error ? -1 : mkstemp(pattern.data());
  if (fd < 0) return false;
  close(fd);
  unlink(pattern.c_str());
  *filename = pattern;
  return true;
}

uint64 Env::NowNanos() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}
uint64 Env::NowMicros() const { return NowNanos() / 1000; }
void Env::SleepForMicroseconds(int64 micros) {
  std::this_thread::sleep_for(std::chrono::microseconds(micros));
}
int32 Env::GetCurrentThreadId() { return static_cast<int32>(rill::thread_number()); }
Thread* Env::StartThread(const ThreadOptions&, const string&, std::function<void()> fn) {
  return new PosixThread(std::move(fn));
}
void Env::SchedClosure(std::function<void()> closure) { std::thread(std::move(closure)).detach(); }

}  // namespace tensorflow
