#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill {

// A group of an HDF5 file: further groups, arrays and attributes, by name. Names may be paths.
// Keeps its file open. One thread at a time works in such files, whoever asks; others wait.
class Hdf5Group {
 public:
  bool has(const std::string& name) const;
  std::vector<std::string> names() const;  // sorted
  // Throws NotFound naming file and group.
  Hdf5Group group(const std::string& name) const;
  Hdf5Group create_group(const std::string& name) const;  // the one that is there, if there is

  // Numbers and truth values. Throws Unimplemented for other types, DataLoss when what is there
  // cannot be read.
  Tensor read(const std::string& name) const;
  void write(const std::string& name, const Tensor& array) const;

  bool has_attribute(const std::string& name) const;
  std::optional<std::string> text(const std::string& attribute) const;  // nothing: there is none
  void set_text(const std::string& attribute, const std::string& text) const;
  std::vector<std::string> texts(const std::string& attribute) const;  // none where there is none
  void set_texts(const std::string& attribute, const std::vector<std::string>& texts) const;

 private:
  friend class Hdf5File;
  struct Handle;
  explicit Hdf5Group(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {}
  std::shared_ptr<Handle> handle_;
};

// The file itself, on a local disk.
class Hdf5File {
 public:
  // Throws NotFound when there is none, DataLoss when it is no such file.
  static Hdf5File open(const std::string& path);
  // Takes the place of a file of that name by close(), whole; without that nothing stays.
  static Hdf5File create(const std::string& path);
  static bool is_hdf5(const std::string& path);
  ~Hdf5File();
  Hdf5File(Hdf5File&&) = default;
  Hdf5File& operator=(Hdf5File&&) = delete;

  Hdf5Group root() const { return root_; }
  void close();  // of a file that was created; no group of it may be used any more

 private:
  Hdf5File(Hdf5Group root, std::string path, std::string temporary)
      : root_(std::move(root)), path_(std::move(path)), temporary_(std::move(temporary)) {}

  Hdf5Group root_;
  std::string path_, temporary_;
};

}  // namespace rill
