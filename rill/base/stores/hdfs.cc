// hdfs:// and viewfs://, by whichever client there is.
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/stores/libhdfs.h"
#include "rill/base/stores/webhdfs.h"

namespace rill {

FileSystem& hdfs_files() {
  static auto& files =
      *[] {
        const stores::LibHdfs* const library = stores::LibHdfs::get();
        return library != nullptr ? stores::make_libhdfs_files(*library)
                                  : stores::make_webhdfs_files();
      }()
           .release();
  return files;
}

}  // namespace rill
