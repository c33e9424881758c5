#include "rill/io/npz.h"

#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "rill/base/file_testing.h"

namespace rill {
namespace {

TEST(Npz, files_that_are_no_archives_are_refused) {
  const ScratchDirectory folder;
  for (const std::string& bytes :
       {std::string("nothing"), std::string("PK\5\6"),
        std::string("PK\5\6\0\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0", 20),
        std::string("PK\5\6\0\0\0\0\1\0\1\0\0\0\0\0\xff\xff\0\0\0\0", 22)}) {
    write_file(folder / "x.npz", bytes);
    EXPECT_THROW(read_npz(folder / "x.npz"), Error);
  }
}

}  // namespace
}  // namespace rill
