#pragma once

#include <cstdint>
#include <ctime>
#include <memory>

#include "rill/base/file_system.h"

namespace rill::stores {

// Hadoop's own client, libhdfs.so, opened when it is first asked for: in
// HADOOP_HDFS_HOME/lib/native, or where the system looks. It brings a Java machine with it.
struct LibHdfs {
  using Fs = void*;
  using File = void*;
  struct Info {  // as the library lays it out
    int kind;    // 'F' or 'D'
    char* name;
    std::time_t modified;
    std::int64_t size;
    short replication;
    std::int64_t block_size;
    char *owner, *group;
    short permissions;
    std::time_t accessed;
  };
  void* (*hdfsNewBuilder)();
  void (*hdfsBuilderSetNameNode)(void* builder, const char* node);
  void (*hdfsBuilderSetKerbTicketCachePath)(void* builder, const char* path);
  Fs (*hdfsBuilderConnect)(void* builder);
  File (*hdfsOpenFile)(Fs, const char* path, int flags, int buffer, short replication,
                       std::int32_t block);
  int (*hdfsCloseFile)(Fs, File);
  std::int32_t (*hdfsPread)(Fs, File, std::int64_t offset, void* out, std::int32_t count);
  std::int32_t (*hdfsWrite)(Fs, File, const void* bytes, std::int32_t count);
  int (*hdfsHFlush)(Fs, File);
  int (*hdfsHSync)(Fs, File);
  int (*hdfsDelete)(Fs, const char* path, int recursive);
  int (*hdfsRename)(Fs, const char* from, const char* to);
  int (*hdfsCreateDirectory)(Fs, const char* path);
  Info* (*hdfsListDirectory)(Fs, const char* path, int* count);
  Info* (*hdfsGetPathInfo)(Fs, const char* path);
  void (*hdfsFreeFileInfo)(Info*, int count);

  static const LibHdfs* get();  // nullptr where there is none
};

std::unique_ptr<FileSystem> make_libhdfs_files(const LibHdfs& library);

}  // namespace rill::stores
