#pragma once

#include <functional>

#include "rill/io/zlib_stream.h"
#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

// A file on the way through its elements.
class FileSource {
 public:
  virtual ~FileSource() = default;
  virtual bool read(Element& element) = 0;  // false at the end
  virtual std::uint64_t position() const = 0;
  virtual void seek(std::uint64_t position) = 0;
  // Whether read() goes on behind an error. Of other files, nothing more is read after one.
  virtual bool survives_errors() const { return false; }
};

// The elements of files, one after the other. A file that cannot be read costs an error; the walk
// goes on with the next one.
class FilesDataset final : public Dataset {
 public:
  using Open = std::function<std::unique_ptr<FileSource>(const std::string& path)>;
  FilesDataset(ElementSpec spec, std::vector<std::string> paths, Open open)
      : Dataset(std::move(spec)), paths_(std::move(paths)), open_(std::move(open)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override;

 private:
  class Iterator;
  const std::vector<std::string> paths_;
  const Open open_;
};

// A dataset of strings.
ElementSpec string_spec();
// The element that is one string.
void give_string(std::string text, Element& element);

// Input i, which is a string or a vector of strings.
std::vector<std::string> strings_input(const KernelCall& call, int i, const char* name);
// Throws InvalidArgument for what is not "", "ZLIB" or "GZIP".
Compression compression_input(const KernelCall& call, int i);
// A number of bytes to read at once; 0 and what is too much become what is sensible.
std::size_t buffer_size_input(const KernelCall& call, int i, const char* error);

std::unique_ptr<InputStream> open_stream(const std::string& path, Compression compression,
                                         std::size_t buffer_size);

}  // namespace rill
