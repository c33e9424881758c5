// Files of the operating system.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/system_error.h"

namespace rill {
namespace {

constexpr std::size_t kWriteBuffer = std::size_t{64} << 10;
// What a disk is given while more is being written, so that less is left to wait for in the end.
constexpr std::size_t kWritebackPiece = std::size_t{8} << 20;

// The system would take what stands before a zero for the whole name.
std::string local_path(const std::string& path) {
  require(path.find('\0') == std::string::npos,
          "a name of a file has a zero byte: ", rill::quoted(path));
  return path.starts_with("file://") ? path.substr(7) : path;
}

// Places that cannot be told to keep things (pipes, some network mounts) say so; a disk that fails
// says something else.
void sync_open_file(int file, const std::string& path) {
  int result = 0;
  do {
    result = ::fsync(file);
  } while (result != 0 && errno == EINTR);
  const bool is_unable = errno == EINVAL || errno == EROFS || errno == ENOTSUP || errno == ENOSYS;
  if (result != 0 && !is_unable) raise_system_error(path);
}

FileFacts facts_of(const struct stat& found) {
  return {
      .size = static_cast<std::uint64_t>(found.st_size),
      .modified_nanos = std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec,
      .is_directory = S_ISDIR(found.st_mode)};
}

class LocalReadable final : public ReadableFile {
 public:
  explicit LocalReadable(const std::string& path)
      : ReadableFile(path), file_(::open(local_path(path).c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) raise_system_error(path);
  }
  ~LocalReadable() override { ::close(file_); }

  std::size_t read(std::uint64_t offset, std::span<char> out) const override {
    std::size_t done = 0;
    while (done < out.size()) {
      const auto at = static_cast<off_t>(offset + done);
      if (at < 0) break;  // beyond any file
      const ssize_t count = ::pread(file_, out.data() + done, out.size() - done, at);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) raise_system_error(path());
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  std::uint64_t size() const override {
    struct stat found {};
    if (::fstat(file_, &found) != 0) raise_system_error(path());
    return facts_of(found).size;
  }

 private:
  int file_;
};

class LocalWritable final : public WritableFile {
 public:
  LocalWritable(const std::string& path, WriteMode mode)
      : WritableFile(path),
        file_(::open(
            local_path(path).c_str(),
            O_WRONLY | O_CREAT | O_CLOEXEC | (mode == WriteMode::append ? O_APPEND : O_TRUNC),
            0666)) {
    if (file_ < 0) raise_system_error(path);
  }
  ~LocalWritable() override {
    try {
      close();
    } catch (const Error&) {  // who wants to know calls close()
    }
    if (file_ >= 0) ::close(file_);
  }

  void append(std::string_view bytes) override {
    check_open();
    if (buffer_.size() + bytes.size() < kWriteBuffer) {
      buffer_.append(bytes);
      return;
    }
    flush();
    if (bytes.size() < kWriteBuffer) {
      buffer_.append(bytes);
    } else {
      write_out(bytes);
    }
  }
  void flush() override {
    check_open();
    try {
      write_out(buffer_);
    } catch (const Error&) {  // not tried again: nobody knows how much of it is there
      buffer_.clear();
      throw;
    }
    buffer_.clear();
  }
  void sync() override {
    flush();
    sync_open_file(file_, path());
  }
  void close() override {
    if (file_ < 0) return;
    flush();
    if (::close(std::exchange(file_, -1)) != 0) raise_system_error(path());
  }

 private:
  void check_open() const {
    if (file_ < 0) raise(Code::kFailedPrecondition, path(), " is closed");
  }
  void write_out(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(file_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) raise_system_error(path());
      bytes.remove_prefix(static_cast<std::size_t>(count));
      start_writeback(static_cast<std::size_t>(count));
    }
  }
  // Waits for nothing, and what fails is said by the next sync.
  void start_writeback(std::size_t written) {
    unstarted_ += written;
    if (unstarted_ < kWritebackPiece || !durable_files()) return;
    unstarted_ = 0;
    (void)::sync_file_range(file_, 0, 0, SYNC_FILE_RANGE_WRITE);
  }

  std::size_t unstarted_ = 0;
  int file_;
  std::string buffer_;
};

class LocalFiles final : public FileSystem, public CrashSafeFiles {
 public:
  std::unique_ptr<ReadableFile> open(const std::string& path) override {
    auto file = std::make_unique<LocalReadable>(path);
    if (facts(path).is_directory) raise(Code::kFailedPrecondition, path, "; Is a directory");
    return file;
  }
  std::unique_ptr<WritableFile> create(const std::string& path, WriteMode mode) override {
    return std::make_unique<LocalWritable>(path, mode);
  }
  FileFacts facts(const std::string& path) override {
    struct stat found {};
    if (::stat(local_path(path).c_str(), &found) != 0) raise_system_error(path);
    return facts_of(found);
  }
  std::vector<std::string> list(const std::string& directory) override {
    const std::unique_ptr<DIR, int (*)(DIR*)> opened(::opendir(local_path(directory).c_str()),
                                                     ::closedir);
    if (opened == nullptr) raise_system_error(directory);
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(opened.get())) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  void remove_file(const std::string& path) override {
    if (::unlink(local_path(path).c_str()) != 0) raise_system_error(path);
  }
  void make_directory(const std::string& path) override {
    if (::mkdir(local_path(path).c_str(), 0755) != 0) raise_system_error(path);
  }
  void remove_directory(const std::string& path) override {
    if (::rmdir(local_path(path).c_str()) != 0) raise_system_error(path);
  }
  void rename(const std::string& from, const std::string& to) override {
    if (::rename(local_path(from).c_str(), local_path(to).c_str()) != 0) raise_system_error(from);
  }

  void sync_path(const std::string& path) override {
    // Without waiting for the other end of a pipe.
    const int file = ::open(local_path(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 && (errno == EACCES || errno == ENOENT)) return;  // not ours to read, or gone
    if (file < 0) raise_system_error(path);
    try {
      sync_open_file(file, path);
    } catch (const Error&) {
      ::close(file);
      throw;
    }
    ::close(file);
  }
  bool link(const std::string& from, const std::string& to) override {
    return ::link(local_path(from).c_str(), local_path(to).c_str()) == 0;
  }
};

}  // namespace

FileSystem& local_files() {
  static auto& files = *new LocalFiles;  // never destroyed: files may be closed after main()
  return files;
}

}  // namespace rill
