// Attributes of HDF5 groups that are texts, as Keras writes them.
#include <algorithm>
#include <cstring>

#include "rill/base/text.h"
#include "rill/io/hdf5_handles.h"

namespace rill {
namespace {

using hdf5::check;
using hdf5::checked;
using hdf5::Id;
using hdf5::Locked;

// Attributes lie in the header of their group, which holds no more than 64 KiB; longer texts can be
// written only as references to elsewhere.
constexpr std::size_t kLongestInHeader = 64512;

std::string what(const std::string& attribute) {
  return str_cat("the attribute '", attribute, "'");
}

std::string trimmed(const char* text, std::size_t size) {
  return {text, std::find(text, text + size, '\0')};
}

// The library's own copies of texts, which it lays out and frees.
class LentTexts {
 public:
  LentTexts(hid_t type, hid_t space, std::size_t count)
      : type_(type), space_(space), texts(count) {}
  ~LentTexts() { H5Dvlen_reclaim(type_, space_, H5P_DEFAULT, texts.data()); }

 private:
  hid_t type_, space_;

 public:
  std::vector<char*> texts;
};

std::vector<std::string> read_texts(hid_t group, const std::string& file, const std::string& name) {
  const Id attribute =
      checked(H5Aopen(group, name.c_str(), H5P_DEFAULT), H5Aclose, file, what(name));
  const Id space = checked(H5Aget_space(attribute), H5Sclose, file, what(name));
  const Id stored = checked(H5Aget_type(attribute), H5Tclose, file, what(name));
  const hssize_t extent = H5Sget_simple_extent_npoints(space);
  if (extent <= 0) return {};
  const auto count = static_cast<std::size_t>(extent);
  if (H5Tget_class(stored) != H5T_STRING)
    raise(Code::kInvalidArgument, file, ": ", what(name), " is no text");
  std::vector<std::string> texts;
  if (H5Tis_variable_str(stored) > 0) {
    const Id type = hdf5::text_type(H5T_VARIABLE);
    H5Tset_cset(type, H5Tget_cset(stored));
    LentTexts lent(type, space, count);
    check(H5Aread(attribute, type, lent.texts.data()), file, what(name));
    for (const char* text : lent.texts) texts.emplace_back(text != nullptr ? text : "");
    return texts;
  }
  const std::size_t size = H5Tget_size(stored);
  std::string bytes;
  if (size == 0 || count > bytes.max_size() / size)
    raise(Code::kDataLoss, file, ": ", what(name), " is too large");
  bytes.resize(count * size);
  check(H5Aread(attribute, stored, bytes.data()), file, what(name));
  for (std::size_t i = 0; i < count; ++i) texts.push_back(trimmed(bytes.data() + i * size, size));
  return texts;
}

void write_attribute(hid_t group, const std::string& file, const std::string& name, hid_t type,
                     hid_t space, const void* data) {
  if (H5Aexists(group, name.c_str()) > 0) H5Adelete(group, name.c_str());
  const Id attribute =
      checked(H5Acreate2(group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
              file, what(name));
  if (data != nullptr) check(H5Awrite(attribute, type, data), file, what(name));
}

}  // namespace

namespace hdf5 {

Id text_type(std::size_t size) {
  Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, size);
  if (size != H5T_VARIABLE) H5Tset_strpad(type, H5T_STR_NULLPAD);
  return type;
}

}  // namespace hdf5

bool Hdf5Group::has_attribute(const std::string& name) const {
  const Locked locked;
  return H5Aexists(handle_->id, name.c_str()) > 0;
}

std::optional<std::string> Hdf5Group::text(const std::string& attribute) const {
  const Locked locked;
  if (!has_attribute(attribute)) return {};
  const std::vector<std::string> texts = read_texts(handle_->id, handle_->path, attribute);
  return texts.empty() ? std::string() : texts[0];
}

void Hdf5Group::set_text(const std::string& attribute, const std::string& text) const {
  const Locked locked;
  const Id space(H5Screate(H5S_SCALAR), H5Sclose);
  if (text.size() < kLongestInHeader) {
    const Id type = hdf5::text_type(std::max<std::size_t>(text.size(), 1));
    return write_attribute(handle_->id, handle_->path, attribute, type, space, text.c_str());
  }
  const Id type = hdf5::text_type(H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const char* const bytes = text.c_str();
  write_attribute(handle_->id, handle_->path, attribute, type, space, &bytes);
}

std::vector<std::string> Hdf5Group::texts(const std::string& attribute) const {
  const Locked locked;
  if (has_attribute(attribute)) return read_texts(handle_->id, handle_->path, attribute);
  // Lists that are too long for one attribute are several, numbered.
  std::vector<std::string> all;
  for (int part = 0; has_attribute(str_cat(attribute, part)); ++part)
    for (std::string& text : read_texts(handle_->id, handle_->path, str_cat(attribute, part)))
      all.push_back(std::move(text));
  return all;
}

void Hdf5Group::set_texts(const std::string& attribute,
                          const std::vector<std::string>& texts) const {
  const Locked locked;
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  require(longest < kLongestInHeader, handle_->path, ": a text of ", what(attribute),
          " is longer than ", kLongestInHeader, " bytes");
  if (texts.empty()) {  // what an empty array of NumPy becomes
    const hsize_t none = 0;
    const Id space(H5Screate_simple(1, &none, nullptr), H5Sclose);
    return write_attribute(handle_->id, handle_->path, attribute, H5T_NATIVE_DOUBLE, space,
                           nullptr);
  }
  const std::size_t per_part = kLongestInHeader / longest;
  const bool split = texts.size() > per_part;
  int part = 0;
  for (std::size_t begin = 0; begin < texts.size(); begin += per_part, ++part) {
    const std::size_t end = std::min(texts.size(), begin + per_part);
    std::string bytes((end - begin) * longest, '\0');
    for (std::size_t i = begin; i < end; ++i)
      std::memcpy(bytes.data() + (i - begin) * longest, texts[i].data(), texts[i].size());
    const hsize_t count = end - begin;
    const Id space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Id type = hdf5::text_type(longest);
    write_attribute(handle_->id, handle_->path, split ? str_cat(attribute, part) : attribute, type,
                    space, bytes.data());
  }
}

}  // namespace rill
