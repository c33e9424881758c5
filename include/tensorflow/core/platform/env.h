#ifndef TENSORFLOW_CORE_PLATFORM_ENV_H_
#define TENSORFLOW_CORE_PLATFORM_ENV_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow/core/platform/file_system.h"
#include "tensorflow/core/platform/macros.h"
#include "tensorflow/core/platform/mutex.h"
#include "tensorflow/core/platform/protobuf.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {

struct ThreadOptions {
  ThreadOptions() : stack_size(0), guard_size(0), numa_node(-1) {}
  size_t stack_size, guard_size;
  int numa_node;
};

class Thread {
 public:
  Thread() {}
  virtual ~Thread();  // waits for it

 private:
  TF_DISALLOW_COPY_AND_ASSIGN(Thread);
};

// Files, clocks and threads of the machine. File names may start with "file://".
class Env {
 public:
  static Env* Default();
  virtual ~Env() {}

  // Files named "SCHEME://..." are of what the factory makes, for the whole process.
  typedef std::function<FileSystem*()> FileSystemFactory;
  Status RegisterFileSystem(const string& scheme, FileSystemFactory factory);
  Status GetRegisteredFileSystemSchemes(std::vector<string>* schemes);

  Status NewRandomAccessFile(const string& fname, std::unique_ptr<RandomAccessFile>* result);
  Status NewWritableFile(const string& fname, std::unique_ptr<WritableFile>* result);
  Status NewAppendableFile(const string& fname, std::unique_ptr<WritableFile>* result);
  Status FileExists(const string& fname);
  bool FilesExist(const std::vector<string>& files, std::vector<Status>* status);
  Status GetChildren(const string& dir, std::vector<string>* result);
  Status GetMatchingPaths(const string& pattern, std::vector<string>* results);
  Status DeleteFile(const string& fname);
  Status CreateDir(const string& dirname);
  Status RecursivelyCreateDir(const string& dirname);
  Status DeleteDir(const string& dirname);
  Status DeleteRecursively(const string& dirname, int64* undeleted_files, int64* undeleted_dirs);
  Status GetFileSize(const string& fname, uint64* file_size);
  Status RenameFile(const string& src, const string& target);
  Status CopyFile(const string& src, const string& target);
  Status IsDirectory(const string& fname);
  Status Stat(const string& fname, FileStatistics* stat);
  string GetExecutablePath();
  bool LocalTempFilename(string* filename);

  uint64 NowNanos() const;
  uint64 NowMicros() const;
  uint64 NowSeconds() const { return NowMicros() / 1000000; }
  void SleepForMicroseconds(int64 micros);
  int32 GetCurrentThreadId();
  Thread* StartThread(const ThreadOptions& options, const string& name, std::function<void()> fn);
  void SchedClosure(std::function<void()> closure);

 protected:
  Env() {}

 private:
  TF_DISALLOW_COPY_AND_ASSIGN(Env);
};

Status ReadFileToString(Env* env, const string& fname, string* data);
Status WriteStringToFile(Env* env, const string& fname, const StringPiece& data);
Status ReadBinaryProto(Env* env, const string& fname, protobuf::MessageLite* proto);
Status WriteBinaryProto(Env* env, const string& fname, const protobuf::MessageLite& proto);
Status ReadTextProto(Env* env, const string& fname, protobuf::Message* proto);
Status WriteTextProto(Env* env, const string& fname, const protobuf::Message& proto);
Status ReadTextOrBinaryProto(Env* env, const string& fname, protobuf::Message* proto);

namespace register_file_system {
template <typename Factory>
struct Register {
  Register(Env* env, const string& scheme) {
    env->RegisterFileSystem(scheme, []() -> FileSystem* { return new Factory; }).IgnoreError();
  }
};
}  // namespace register_file_system

}  // namespace tensorflow

#define REGISTER_FILE_SYSTEM_ENV(env, scheme, factory) \
  REGISTER_FILE_SYSTEM_UNIQ_HELPER(__COUNTER__, env, scheme, factory)
#define REGISTER_FILE_SYSTEM_UNIQ_HELPER(ctr, env, scheme, factory) \
  REGISTER_FILE_SYSTEM_UNIQ(ctr, env, scheme, factory)
#define REGISTER_FILE_SYSTEM_UNIQ(ctr, env, scheme, factory)                    \
  static ::tensorflow::register_file_system::Register<factory> register_ff##ctr \
      TF_ATTRIBUTE_UNUSED = ::tensorflow::register_file_system::Register<factory>(env, scheme)
#define REGISTER_FILE_SYSTEM(scheme, factory) \
  REGISTER_FILE_SYSTEM_ENV(::tensorflow::Env::Default(), scheme, factory)

#endif
