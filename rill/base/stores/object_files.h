#pragma once

#include <memory>

#include "rill/base/file_system.h"
#include "rill/base/stores/object_store.h"
#include "rill/base/stores/range_reader.h"

namespace rill::stores {

// An object store as a file system. A directory is there when a key begins with its name and a
// slash; one that was made has an empty object of that name.
class ObjectFiles final : public FileSystem {
 public:
  explicit ObjectFiles(std::unique_ptr<ObjectStore> store, const ReadAhead& ahead = {})
      : store_(std::move(store)), ahead_(ahead) {}

  std::unique_ptr<ReadableFile> open(const std::string& path) override;
  std::unique_ptr<WritableFile> create(const std::string& path, WriteMode mode) override;
  FileFacts facts(const std::string& path) override;
  std::vector<std::string> list(const std::string& directory) override;
  std::vector<NamedFacts> list_with_facts(const std::string& directory) override;
  void remove_file(const std::string& path) override;
  void make_directory(const std::string& path) override;
  void remove_directory(const std::string& path) override;
  void rename(const std::string& from, const std::string& to) override;
  bool copy_within(const std::string& from, const std::string& to) override;
  bool remove_below(const std::string& directory) override;
  bool writes_whole_files() const override { return true; }

 private:
  Place place_of(const std::string& path) const;       // without slashes at its end
  Place object_place(const std::string& path) const;   // with a key
  ObjectFacts object_facts(const Place& place) const;  // NotFound, or that it is a directory
  bool is_folder(const Place& place) const;
  void rename_folder(const Place& from, const Place& to);

  std::unique_ptr<ObjectStore> store_;
  const ReadAhead ahead_;
};

}  // namespace rill::stores
