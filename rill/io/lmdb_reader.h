#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rill/base/file_system.h"

namespace rill {

// The entries of an LMDB database, in the order of their keys. It reads the file as the last
// finished write left it, and takes no locks: nobody may write meanwhile. Not safe from several
// threads.
class LmdbReader {
 public:
  // The file of the database, or the directory that holds it as data.mdb.
  explicit LmdbReader(const std::string& path);

  // The next entry; false when there is none. What is broken throws DataLoss with file and page;
  // the next call tries the same entry again.
  bool read(std::string* key, std::string* value);

 private:
  struct Level {  // one page of the way from the root to an entry
    std::string page;
    std::uint64_t number = 0;
    std::size_t next = 0;  // entry of the page
  };
  struct Entry;

  bool read_meta(std::uint64_t number, std::uint64_t* newest);
  std::string read_bytes(std::uint64_t offset, std::uint64_t size, std::uint64_t page) const;
  void descend(std::uint64_t number);
  Entry entry(const Level& level) const;
  std::string overflow(std::uint64_t number, std::uint64_t size) const;
  [[noreturn]] void broken(std::uint64_t page, const char* why) const;

  const std::unique_ptr<ReadableFile> file_;
  const std::uint64_t size_;
  std::uint64_t page_size_ = 0;
  std::uint64_t root_ = 0;
  bool begun_ = false;
  std::vector<Level> levels_;
};

}  // namespace rill
