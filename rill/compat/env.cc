#include "tensorflow/core/platform/env.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "rill/base/thread_pool.h"
#include "rill/compat/convert.h"

namespace tensorflow {
namespace {

namespace fs = std::filesystem;

string local(const string& name) {
  return name.compare(0, 7, "file://") == 0 ? name.substr(7) : name;
}

Status io_error(const string& context, int number) {
  const string text = context + "; " + std::strerror(number);
  switch (number) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
      return errors::NotFound(text);
    case EEXIST:
    case EADDRINUSE:
      return errors::AlreadyExists(text);
    case EPERM:
    case EACCES:
    case EROFS:
      return errors::PermissionDenied(text);
    case EINVAL:
    case ENAMETOOLONG:
      return errors::InvalidArgument(text);
    case ENOTEMPTY:
    case EISDIR:
    case ENOTDIR:
    case EBUSY:
      return errors::FailedPrecondition(text);
    case ENOSPC:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return errors::ResourceExhausted(text);
    default:
      return errors::Unknown(text);
  }
}

// A call of the file system that reports through an error_code.
template <class F>
Status checked(const string& name, F&& call) {
  std::error_code error;
  call(error);
  return error ? io_error(name, error.value()) : Status::OK();
}

class PosixReader final : public RandomAccessFile {
 public:
  PosixReader(string name, int fd) : name_(std::move(name)), fd_(fd) {}
  ~PosixReader() override { close(fd_); }
  Status Read(uint64 offset, size_t n, StringPiece* result, char* scratch) const override {
    size_t done = 0;
    while (done < n) {
      const ssize_t got = pread(fd_, scratch + done, n - done, static_cast<off_t>(offset + done));
      if (got == 0) break;
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return io_error(name_, errno);
      done += static_cast<size_t>(got);
    }
    *result = StringPiece(scratch, done);
    return done == n ? Status::OK() : errors::OutOfRange("Read less bytes than requested");
  }

 private:
  string name_;
  int fd_;
};

class PosixWriter final : public WritableFile {
 public:
  PosixWriter(string name, FILE* file) : name_(std::move(name)), file_(file) {}
  ~PosixWriter() override {
    if (file_ != nullptr) std::fclose(file_);
  }
  Status Append(StringPiece data) override {
    if (file_ == nullptr) return errors::FailedPrecondition(name_, " is closed");
    const bool ok = data.empty() || std::fwrite(data.data(), 1, data.size(), file_) == data.size();
    return ok ? Status::OK() : io_error(name_, errno);
  }
  Status Close() override {
    if (file_ == nullptr) return Status::OK();
    FILE* file = file_;
    file_ = nullptr;
    return std::fclose(file) == 0 ? Status::OK() : io_error(name_, errno);
  }
  Status Flush() override {
    return file_ == nullptr || std::fflush(file_) == 0 ? Status::OK() : io_error(name_, errno);
  }
  Status Sync() override { return Flush(); }

 private:
  string name_;
  FILE* file_;
};

class PosixThread final : public Thread {
 public:
  explicit PosixThread(std::function<void()> fn) : thread_(std::move(fn)) {}
  ~PosixThread() override { thread_.join(); }

 private:
  std::thread thread_;
};

Status open_writer(const string& fname, const char* mode, std::unique_ptr<WritableFile>* result) {
  FILE* file = std::fopen(local(fname).c_str(), mode);
  if (file == nullptr) return io_error(fname, errno);
  result->reset(new PosixWriter(fname, file));
  return Status::OK();
}

class LocalEnv final : public Env {};

}  // namespace

Thread::~Thread() {}

Env* Env::Default() {
  static LocalEnv& env = *new LocalEnv;
  return &env;
}

Status Env::NewRandomAccessFile(const string& fname, std::unique_ptr<RandomAccessFile>* result) {
  const int fd = open(local(fname).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return io_error(fname, errno);
  result->reset(new PosixReader(fname, fd));
  return Status::OK();
}
Status Env::NewWritableFile(const string& fname, std::unique_ptr<WritableFile>* result) {
  return open_writer(fname, "wb", result);
}
Status Env::NewAppendableFile(const string& fname, std::unique_ptr<WritableFile>* result) {
  return open_writer(fname, "ab", result);
}
Status Env::FileExists(const string& fname) {
  if (access(local(fname).c_str(), F_OK) == 0) return Status::OK();
  return errors::NotFound(fname, " not found");
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
  return checked(dir, [&](std::error_code& error) {
    fs::directory_iterator it(local(dir), error);
    for (; !error && it != fs::directory_iterator(); it.increment(error))
      result->push_back(it->path().filename().string());
  });
}
Status Env::GetMatchingPaths(const string& pattern, std::vector<string>* results) {
  results->clear();
  glob_t found{};
  const int code = glob(local(pattern).c_str(), 0, nullptr, &found);
  for (size_t i = 0; i < found.gl_pathc; ++i) results->emplace_back(found.gl_pathv[i]);
  globfree(&found);
  return code == 0 || code == GLOB_NOMATCH ? Status::OK() : io_error(pattern, errno);
}
Status Env::DeleteFile(const string& fname) {
  return unlink(local(fname).c_str()) == 0 ? Status::OK() : io_error(fname, errno);
}
Status Env::CreateDir(const string& dirname) {
  return mkdir(local(dirname).c_str(), 0755) == 0 ? Status::OK() : io_error(dirname, errno);
}
Status Env::RecursivelyCreateDir(const string& dirname) {
  return checked(dirname,
                 [&](std::error_code& error) { fs::create_directories(local(dirname), error); });
}
Status Env::DeleteDir(const string& dirname) {
  return rmdir(local(dirname).c_str()) == 0 ? Status::OK() : io_error(dirname, errno);
}
Status Env::DeleteRecursively(const string& dirname, int64* undeleted_files,
                              int64* undeleted_dirs) {
  *undeleted_files = *undeleted_dirs = 0;
  if (const Status found = FileExists(dirname); !found.ok()) return ++*undeleted_dirs, found;
  return checked(dirname, [&](std::error_code& error) {
    fs::remove_all(local(dirname), error);
    if (error) ++*undeleted_dirs;
  });
}
Status Env::GetFileSize(const string& fname, uint64* file_size) {
  FileStatistics stat;
  TF_RETURN_IF_ERROR(Stat(fname, &stat));
  *file_size = static_cast<uint64>(stat.length);
  return Status::OK();
}
Status Env::RenameFile(const string& src, const string& target) {
  return checked(src,
                 [&](std::error_code& error) { fs::rename(local(src), local(target), error); });
}
Status Env::CopyFile(const string& src, const string& target) {
  return checked(src, [&](std::error_code& error) {
    fs::copy_file(local(src), local(target), fs::copy_options::overwrite_existing, error);
  });
}
Status Env::IsDirectory(const string& fname) {
  FileStatistics stat;
  TF_RETURN_IF_ERROR(Stat(fname, &stat));
  return stat.is_directory ? Status::OK() : errors::FailedPrecondition("Not a directory");
}
Status Env::Stat(const string& fname, FileStatistics* result) {
  struct stat found {};
  if (stat(local(fname).c_str(), &found) != 0) return io_error(fname, errno);
  result->length = found.st_size;
  result->mtime_nsec = found.st_mtim.tv_sec * 1000000000ll + found.st_mtim.tv_nsec;
  result->is_directory = S_ISDIR(found.st_mode);
  return Status::OK();
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
