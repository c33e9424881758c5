#pragma once

#include <memory>
#include <string>

#include "rill/io/bundle_writer.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/ops/data/core/dataset.h"

namespace rill {

// Elements in a V2 checkpoint, as TensorFlow names them: component c of element n is "n_c".

// Writes one. It takes its proper name when it is finished; until then it is written in parts, one
// more for each time that the position was saved, and a lock beside each part keeps others off.
class CacheFileWriter {
 public:
  CacheFileWriter(std::string path, std::int64_t component_count)
      : path_(std::move(path)), component_count_(component_count) {}
  ~CacheFileWriter();  // unfinished, it takes its locks and the open part away
  CacheFileWriter(const CacheFileWriter&) = delete;
  CacheFileWriter& operator=(const CacheFileWriter&) = delete;

  // Throws AlreadyExists when somebody else is writing.
  void add(const Element& element);
  void finish();

  // Ends the part that is open, so that restore() finds everything written so far.
  void end_part();
  std::int64_t parts() const { return parts_; }
  std::int64_t elements() const { return elements_; }
  void restore(std::int64_t parts, std::int64_t elements);

 private:
  std::string part_path(std::int64_t part) const;
  void begin_part();
  void unlock();

  const std::string path_;
  const std::int64_t component_count_;
  std::int64_t parts_ = 0;  // that are ended
  std::int64_t elements_ = 0;
  std::unique_ptr<BundleWriter> writer_;  // of the open part
  std::string lock_;                      // that is ours; empty: none
};

class CacheFileReader {
 public:
  static bool exists(const std::string& path);
  CacheFileReader(const std::string& path, std::int64_t component_count);

  // False behind the last element.
  bool read(std::int64_t number, Element& element) const;

 private:
  const std::unique_ptr<CheckpointReader> reader_;
  const std::int64_t component_count_;
};

}  // namespace rill
