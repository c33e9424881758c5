#include "rill/base/stores/libhdfs.h"

#include <dlfcn.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>

#include "rill/base/error.h"
#include "rill/base/stores/settings.h"
#include "rill/base/system_error.h"

namespace rill::stores {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // counts are 32 bits there

bool load(LibHdfs* library) {
  const std::string home =
      environment_text("HADOOP_HDFS_HOME", environment_text("HADOOP_HOME").c_str());
  void* handle =
      home.empty() ? nullptr : ::dlopen((home + "/lib/native/libhdfs.so").c_str(), RTLD_NOW);
  if (handle == nullptr) handle = ::dlopen("libhdfs.so", RTLD_NOW);
  if (handle == nullptr) return false;
  bool has_all = true;
  const auto find = [&](auto& function, const char* name) {
    void* const found = ::dlsym(handle, name);
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
    has_all = has_all && found != nullptr;
  };
#define RILL_FIND(name) find(library->name, #name)
  RILL_FIND(hdfsNewBuilder);
  RILL_FIND(hdfsBuilderSetNameNode);
  RILL_FIND(hdfsBuilderSetKerbTicketCachePath);
  RILL_FIND(hdfsBuilderConnect);
  RILL_FIND(hdfsOpenFile);
  RILL_FIND(hdfsCloseFile);
  RILL_FIND(hdfsPread);
  RILL_FIND(hdfsWrite);
  RILL_FIND(hdfsHFlush);
  RILL_FIND(hdfsHSync);
  RILL_FIND(hdfsDelete);
  RILL_FIND(hdfsRename);
  RILL_FIND(hdfsCreateDirectory);
  RILL_FIND(hdfsListDirectory);
  RILL_FIND(hdfsGetPathInfo);
  RILL_FIND(hdfsFreeFileInfo);
#undef RILL_FIND
  return has_all;
}

struct NativePlace {
  const LibHdfs& lib;
  LibHdfs::Fs fs;
  std::string path, at;
};

[[noreturn]] void raise_errno(const std::string& path) {
  if (errno == 0) errno = EIO;
  raise_system_error(path);
}

FileFacts info_facts(const LibHdfs::Info& info) {
  return {.size = static_cast<std::uint64_t>(info.size),
          .modified_nanos = std::int64_t{info.modified} * 1'000'000'000,
          .is_directory = info.kind == 'D'};
}

FileFacts native_facts(const NativePlace& place) {
  errno = 0;
  LibHdfs::Info* const info = place.lib.hdfsGetPathInfo(place.fs, place.at.c_str());
  if (info == nullptr) raise_errno(place.path);
  const FileFacts facts = info_facts(*info);
  place.lib.hdfsFreeFileInfo(info, 1);
  return facts;
}

class NativeReadable final : public ReadableFile {
 public:
  explicit NativeReadable(const NativePlace& place)
      : ReadableFile(place.path),
        place_(place),
        file_(place.lib.hdfsOpenFile(place.fs, place.at.c_str(), O_RDONLY, 0, 0, 0)) {
    if (file_ == nullptr) raise_errno(path());
  }
  ~NativeReadable() override { place_.lib.hdfsCloseFile(place_.fs, file_); }
  std::size_t read(std::uint64_t offset, std::span<char> out) const override {
    std::size_t done = 0;
    while (done < out.size()) {
      const auto wanted = static_cast<std::int32_t>(std::min(out.size() - done, kMostAtOnce));
      const std::int32_t count = place_.lib.hdfsPread(
          place_.fs, file_, static_cast<std::int64_t>(offset + done), out.data() + done, wanted);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) raise_errno(path());
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }
  std::uint64_t size() const override { return native_facts(place_).size; }

 private:
  const NativePlace place_;
  const LibHdfs::File file_;
};

class NativeWritable final : public WritableFile {
 public:
  NativeWritable(const NativePlace& place, int flags)
      : WritableFile(place.path),
        place_(place),
        file_(place.lib.hdfsOpenFile(place.fs, place.at.c_str(), flags, 0, 0, 0)) {
    if (file_ == nullptr) raise_errno(path());
  }
  ~NativeWritable() override {
    if (file_ != nullptr) place_.lib.hdfsCloseFile(place_.fs, file_);
  }
  void append(std::string_view bytes) override {
    check_open();
    while (!bytes.empty()) {
      const auto wanted = static_cast<std::int32_t>(std::min(bytes.size(), kMostAtOnce));
      const std::int32_t count = place_.lib.hdfsWrite(place_.fs, file_, bytes.data(), wanted);
      if (count <= 0) raise_errno(path());
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void flush() override {
    check_open();
    if (place_.lib.hdfsHFlush(place_.fs, file_) != 0) raise_errno(path());
  }
  void sync() override {
    check_open();
    if (place_.lib.hdfsHSync(place_.fs, file_) != 0) raise_errno(path());
  }
  void close() override {
    if (file_ == nullptr) return;
    if (place_.lib.hdfsCloseFile(place_.fs, std::exchange(file_, nullptr)) != 0)
      raise_errno(path());
  }

 private:
  void check_open() const {
    if (file_ == nullptr) raise(Code::kFailedPrecondition, path(), " is closed");
  }
  const NativePlace place_;
  LibHdfs::File file_;
};

class NativeFiles final : public FileSystem {
 public:
  explicit NativeFiles(const LibHdfs& library) : lib_(library) {}

  std::unique_ptr<ReadableFile> open(const std::string& path) override {
    const NativePlace place = place_of(path);
    if (native_facts(place).is_directory)
      raise(Code::kFailedPrecondition, path, "; Is a directory");
    return std::make_unique<NativeReadable>(place);
  }
  std::unique_ptr<WritableFile> create(const std::string& path, WriteMode mode) override {
    const int flags = mode == WriteMode::append && is_there(path) ? O_WRONLY | O_APPEND : O_WRONLY;
    return std::make_unique<NativeWritable>(place_of(path), flags);
  }
  FileFacts facts(const std::string& path) override { return native_facts(place_of(path)); }
  std::vector<NamedFacts> list_with_facts(const std::string& directory) override {
    const NativePlace place = place_of(directory);
    if (!native_facts(place).is_directory)
      raise(Code::kFailedPrecondition, directory, "; Not a directory");
    int count = 0;
    errno = 0;
    LibHdfs::Info* const infos = lib_.hdfsListDirectory(place.fs, place.at.c_str(), &count);
    if (infos == nullptr && errno != 0) raise_errno(directory);
    std::vector<NamedFacts> found;
    for (int i = 0; i < count; ++i) {
      const std::string_view name = infos[i].name;  // the whole path
      found.push_back({std::string(name.substr(name.rfind('/') + 1)), info_facts(infos[i])});
    }
    if (infos != nullptr) lib_.hdfsFreeFileInfo(infos, count);
    std::ranges::sort(found, {}, &NamedFacts::name);
    return found;
  }
  std::vector<std::string> list(const std::string& directory) override {
    std::vector<std::string> names;
    for (NamedFacts& found : list_with_facts(directory)) names.push_back(std::move(found.name));
    return names;
  }
  void remove_file(const std::string& path) override {
    if (facts(path).is_directory) raise(Code::kFailedPrecondition, path, "; Is a directory");
    remove(path, 0);
  }
  void remove_directory(const std::string& path) override {
    if (!list(path).empty()) raise(Code::kFailedPrecondition, path, "; Directory not empty");
    remove(path, 0);
  }
  bool remove_below(const std::string& directory) override {
    remove(directory, 1);
    return true;
  }
  void make_directory(const std::string& path) override {
    if (is_there(path)) raise(Code::kAlreadyExists, path, "; File exists");
    const NativePlace place = place_of(path);
    if (lib_.hdfsCreateDirectory(place.fs, place.at.c_str()) != 0) raise_errno(path);
  }
  // The library does not replace what is there.
  void rename(const std::string& from, const std::string& to) override {
    const NativePlace place = place_of(from), target = place_of(to);
    (void)native_facts(place);
    if (is_there(to)) remove(to, 0);
    if (lib_.hdfsRename(place.fs, place.at.c_str(), target.at.c_str()) != 0) raise_errno(from);
  }

 private:
  bool is_there(const std::string& path) {
    try {
      (void)facts(path);
      return true;
    } catch (const Error& error) {
      if (error.code() != Code::kNotFound) throw;
      return false;
    }
  }
  void remove(const std::string& path, int recursive) {
    const NativePlace place = place_of(path);
    if (lib_.hdfsDelete(place.fs, place.at.c_str(), recursive) != 0) raise_errno(path);
  }
  NativePlace place_of(const std::string& path) {
    const std::string scheme(scheme_of(path));
    const std::string_view rest = std::string_view(path).substr(scheme.size() + 3);
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string authority(rest.substr(0, slash));
    std::string at(rest.substr(slash));
    while (at.size() > 1 && at.ends_with('/')) at.pop_back();
    const std::string node = authority.empty() ? "default" : str_cat(scheme, "://", authority);
    return {lib_, connected(node, path), path, at.empty() ? "/" : at};
  }
  LibHdfs::Fs connected(const std::string& node, const std::string& path) {
    const std::lock_guard lock(mutex_);
    LibHdfs::Fs& fs = connected_[node];
    if (fs != nullptr) return fs;
    errno = 0;
    void* const builder = lib_.hdfsNewBuilder();
    lib_.hdfsBuilderSetNameNode(builder, node.c_str());
    const std::string tickets = environment_text("KERB_TICKET_CACHE_PATH");
    if (!tickets.empty()) lib_.hdfsBuilderSetKerbTicketCachePath(builder, tickets.c_str());
    fs = lib_.hdfsBuilderConnect(builder);
    if (fs == nullptr)
      raise(Code::kUnavailable, path, "; libhdfs cannot connect to ", node,
            "; see CLASSPATH (hadoop classpath --glob), HADOOP_CONF_DIR, KERB_TICKET_CACHE_PATH");
    return fs;
  }

  const LibHdfs& lib_;
  std::mutex mutex_;
  std::map<std::string, LibHdfs::Fs> connected_;  // by name node, until the process ends
};

}  // namespace

const LibHdfs* LibHdfs::get() {
  static const LibHdfs* const library = [] {
    static LibHdfs& loaded = *new LibHdfs;
    return load(&loaded) ? &loaded : nullptr;
  }();
  return library;
}

std::unique_ptr<FileSystem> make_libhdfs_files(const LibHdfs& library) {
  return std::make_unique<NativeFiles>(library);
}

}  // namespace rill::stores
