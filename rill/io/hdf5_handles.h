#pragma once

#include <hdf5/serial/hdf5.h>

#include <mutex>
#include <string>

#include "rill/base/error.h"
#include "rill/io/hdf5.h"

// What the parts of hdf5*.cc share; the only places that see the library's header.
namespace rill::hdf5 {

// The library may not be linked for threads; it also prints errors unless it is told not to.
class Locked {
 public:
  Locked();

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

// One of the library's objects, closed at the end.
class Id {
 public:
  using Close = herr_t (*)(hid_t);
  Id() = default;
  Id(hid_t id, Close close) : id_(id), close_(close) {}
  ~Id() { reset(); }
  Id(Id&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Id& operator=(Id&& other) noexcept;
  operator hid_t() const { return id_; }
  bool is_there() const { return id_ >= 0; }
  void reset();

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

[[noreturn]] void fail(Code code, const std::string& file, const std::string& what);

// DataLoss, or what `code` says, unless the library gave an object.
Id checked(hid_t id, Id::Close close, const std::string& file, const std::string& what,
           Code code = Code::kDataLoss);
void check(herr_t result, const std::string& file, const std::string& what,
           Code code = Code::kDataLoss);

Id text_type(std::size_t size);  // of so many bytes, or of any number: H5T_VARIABLE

}  // namespace rill::hdf5

namespace rill {

struct Hdf5Group::Handle {
  ~Handle() {
    const hdf5::Locked locked;
    id.reset();
    file.reset();
  }
  std::string path;  // of the file
  std::shared_ptr<hdf5::Id> file;
  hdf5::Id id;
};

}  // namespace rill
