#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tensorflow/core/profiler/profile.pb.h"

namespace rill::profiler {

// A profile for pprof in the making: texts and places of the program are written once, and named by
// numbers.
class PprofWriter {
 public:
  PprofWriter() { text(""); }

  void add_type(const std::string& type, const std::string& unit);  // of the values of samples
  void add_comment(const std::string& comment) { profile_.add_comment(text(comment)); }
  // What a sample's `location_id` names, from the innermost frame on.
  std::uint64_t location(const std::string& file, std::int64_t line, const std::string& function);
  tensorflow::tfprof::pprof::Sample& add_sample() { return *profile_.add_sample(); }
  void add_label(tensorflow::tfprof::pprof::Sample& sample, const std::string& key,
                 const std::string& value);

  const tensorflow::tfprof::pprof::Profile& profile() const { return profile_; }
  // Packed, as pprof's tools want files to be.
  void write(const std::string& path) const;

 private:
  std::int64_t text(const std::string& text);

  tensorflow::tfprof::pprof::Profile profile_;
  std::map<std::string, std::uint64_t> locations_, functions_;
  std::map<std::string, std::int64_t> texts_;
};

}  // namespace rill::profiler
