// Hadoop's C interface over a folder of this machine (LOCAL_HDFS), for tests of who calls it.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Info {
  int kind;
  char* name;
  std::time_t modified;
  std::int64_t size;
  short replication;
  std::int64_t block_size;
  char *owner, *group;
  short permissions;
  std::time_t accessed;
};

static std::string at(const char* path) { return std::string(std::getenv("LOCAL_HDFS")) + path; }

static bool fill(Info* info, const char* path) {
  struct stat facts;
  if (::stat(at(path).c_str(), &facts) != 0) return false;
  *info = {};
  info->kind = S_ISDIR(facts.st_mode) ? 'D' : 'F';
  info->name = ::strdup((std::string("hdfs://cluster") + path).c_str());
  info->modified = facts.st_mtime;
  info->size = S_ISDIR(facts.st_mode) ? 0 : facts.st_size;
  return true;
}

extern "C" {
void* hdfsNewBuilder() { return new std::string; }
void hdfsBuilderSetNameNode(void* builder, const char* node) {
  *static_cast<std::string*>(builder) = node;
}
void hdfsBuilderSetKerbTicketCachePath(void*, const char*) {}
void* hdfsBuilderConnect(void* builder) {
  return *static_cast<std::string*>(builder) == "hdfs://cluster" ? builder : nullptr;
}
void* hdfsOpenFile(void*, const char* path, int flags, int, short, std::int32_t) {
  int how = flags;
  if (flags == O_WRONLY) how |= O_CREAT | O_TRUNC;
  if (how & O_CREAT) fs::create_directories(fs::path(at(path)).parent_path());
  const int file = ::open(at(path).c_str(), how, 0644);
  return file < 0 ? nullptr : new int(file);
}
int hdfsCloseFile(void*, void* file) {
  const int result = ::close(*static_cast<int*>(file));
  delete static_cast<int*>(file);
  return result;
}
std::int32_t hdfsPread(void*, void* file, std::int64_t offset, void* out, std::int32_t count) {
  const std::int32_t some = count > 100000 ? count / 2 : count;  // as the library may
  return static_cast<std::int32_t>(::pread(*static_cast<int*>(file), out, some, offset));
}
std::int32_t hdfsWrite(void*, void* file, const void* bytes, std::int32_t count) {
  return static_cast<std::int32_t>(::write(*static_cast<int*>(file), bytes, count));
}
int hdfsHFlush(void*, void*) { return 0; }
int hdfsHSync(void*, void*) { return 0; }
int hdfsDelete(void*, const char* path, int recursive) {
  std::error_code error;
  const bool gone = recursive ? fs::remove_all(at(path), error) > 0 : fs::remove(at(path), error);
  if (!gone) errno = error ? error.value() : ENOENT;
  return gone ? 0 : -1;
}
int hdfsRename(void*, const char* from, const char* to) {
  if (fs::exists(at(to))) return errno = EEXIST, -1;
  return ::rename(at(from).c_str(), at(to).c_str());
}
int hdfsCreateDirectory(void*, const char* path) {
  std::error_code error;
  fs::create_directories(at(path), error);
  return error ? -1 : 0;
}
Info* hdfsGetPathInfo(void*, const char* path) {
  Info* const info = new Info[1];
  if (fill(info, path)) return info;
  delete[] info;
  return nullptr;
}
Info* hdfsListDirectory(void*, const char* path, int* count) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(at(path)))
    names.push_back(entry.path().filename());
  *count = static_cast<int>(names.size());
  if (names.empty()) return errno = 0, nullptr;
  Info* const infos = new Info[names.size()];
  for (std::size_t i = 0; i < names.size(); ++i)
    fill(&infos[i], (std::string(path) + "/" + names[i]).c_str());
  return infos;
}
void hdfsFreeFileInfo(Info* infos, int count) {
  for (int i = 0; i < count; ++i) std::free(infos[i].name);
  delete[] infos;
}
}
