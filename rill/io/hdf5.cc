#include "rill/io/hdf5.h"

#include "rill/base/durable_files.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/io/hdf5_handles.h"

namespace rill {
namespace hdf5 {
namespace {

std::recursive_mutex& mutex() {
  static std::recursive_mutex one;
  return one;
}

}  // namespace

Locked::Locked() : lock_(mutex()) {
  static const bool quiet = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(quiet);
}

Id& Id::operator=(Id&& other) noexcept {
  if (this != &other) {
    reset();
    std::swap(id_, other.id_);
    close_ = other.close_;
  }
  return *this;
}

void Id::reset() {
  if (id_ >= 0 && close_ != nullptr) close_(id_);
  id_ = -1;
}

void fail(Code code, const std::string& file, const std::string& what) {
  std::string reason;
  const auto look = [](unsigned, const H5E_error2_t* error, void* to) -> herr_t {
    if (error->desc != nullptr) *static_cast<std::string*>(to) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, look, &reason);
  raise(code, file, ": ", what, reason.empty() ? "" : ": ", reason);
}

Id checked(hid_t id, Id::Close close, const std::string& file, const std::string& what, Code code) {
  if (id < 0) fail(code, file, what);
  return {id, close};
}

void check(herr_t result, const std::string& file, const std::string& what, Code code) {
  if (result < 0) fail(code, file, what);
}

}  // namespace hdf5

using hdf5::check;
using hdf5::checked;
using hdf5::Id;
using hdf5::Locked;

// --- files ---------------------------------------------------------------------------------------

bool Hdf5File::is_hdf5(const std::string& path) {
  const Locked locked;
  return file_exists(path) && H5Fis_hdf5(path.c_str()) > 0;
}

Hdf5File Hdf5File::open(const std::string& path) {
  const Locked locked;
  if (!file_exists(path)) raise(Code::kNotFound, "there is no file ", path);
  auto handle = std::make_shared<Hdf5Group::Handle>();
  handle->path = path;
  handle->file = std::make_shared<Id>(
      checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, path, "no HDF5 file"));
  handle->id = checked(H5Gopen2(*handle->file, "/", H5P_DEFAULT), H5Gclose, path, "no root group");
  return {Hdf5Group(std::move(handle)), path, ""};
}

Hdf5File Hdf5File::create(const std::string& path) {
  const Locked locked;
  const std::string temporary = path + ".unfinished";
  auto handle = std::make_shared<Hdf5Group::Handle>();
  handle->path = path;
  handle->file = std::make_shared<Id>(
      checked(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, path,
              "cannot be written", Code::kNotFound));
  handle->id = checked(H5Gopen2(*handle->file, "/", H5P_DEFAULT), H5Gclose, path, "no root group");
  return {Hdf5Group(std::move(handle)), path, temporary};
}

void Hdf5File::close() {
  if (temporary_.empty()) return;
  {
    const Locked locked;
    check(H5Fflush(*root_.handle_->file, H5F_SCOPE_LOCAL), path_, "cannot be written");
    root_.handle_->id.reset();
    root_.handle_->file->reset();
  }
  publish_as(temporary_, path_);
  temporary_.clear();
}

Hdf5File::~Hdf5File() {
  if (temporary_.empty()) return;
  root_.handle_.reset();
  try {
    file_system_of(temporary_).remove_file(temporary_);
  } catch (const Error&) {  // nobody to tell; the file itself was not touched
  }
}

// --- groups --------------------------------------------------------------------------------------

bool Hdf5Group::has(const std::string& name) const {
  const Locked locked;
  // Every part of the path must be there before the next one may be asked for.
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    if (H5Lexists(handle_->id, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return true;
}

std::vector<std::string> Hdf5Group::names() const {
  const Locked locked;
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  check(H5Literate(handle_->id, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), handle_->path,
        "cannot list a group");
  return names;
}

Hdf5Group Hdf5Group::group(const std::string& name) const {
  const Locked locked;
  auto handle = std::make_shared<Handle>();
  handle->path = handle_->path;
  handle->file = handle_->file;
  if (!has(name)) raise(Code::kNotFound, handle_->path, ": there is no group '", name, "'");
  handle->id = checked(H5Gopen2(handle_->id, name.c_str(), H5P_DEFAULT), H5Gclose, handle_->path,
                       str_cat("'", name, "' is no group"));
  return Hdf5Group(std::move(handle));
}

Hdf5Group Hdf5Group::create_group(const std::string& name) const {
  const Locked locked;
  if (has(name)) return group(name);
  auto handle = std::make_shared<Handle>();
  handle->path = handle_->path;
  handle->file = handle_->file;
  const Id parents(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(parents, 1);
  handle->id = checked(H5Gcreate2(handle_->id, name.c_str(), parents, H5P_DEFAULT, H5P_DEFAULT),
                       H5Gclose, handle_->path, str_cat("cannot make the group '", name, "'"));
  return Hdf5Group(std::move(handle));
}

}  // namespace rill
