#include "rill/ops/data/files/cache_file.h"

#include "rill/base/clock.h"
#include "rill/base/files.h"
#include "rill/io/bundle_format.h"

namespace rill {
namespace {

constexpr std::int64_t kMaxElements = 10'000'000;  // that names have room for

// As wide as the largest number needs, so that names sort as numbers do.
std::string padded(std::int64_t number, std::int64_t count) {
  const std::string digits = str_cat(number), widest = str_cat(count - 1);
  return std::string(widest.size() - std::min(widest.size(), digits.size()), ' ') + digits;
}

std::string key(std::int64_t element, std::int64_t component, std::int64_t component_count) {
  return str_cat(padded(element, kMaxElements), "_", padded(component, component_count));
}

}  // namespace

CacheFileWriter::~CacheFileWriter() {
  writer_.reset();
  unlock();
}

std::string CacheFileWriter::part_path(std::int64_t part) const {
  return str_cat(path_, "_", part);
}

void CacheFileWriter::begin_part() {
  const std::string part = part_path(parts_), lock = part + ".lockfile";
  for (const std::string& other : {lock, bundle_index_path(part)})
    if (file_exists(other))
      raise(Code::kAlreadyExists,
            "There appears to be a concurrent caching iterator running - cache lockfile already "
            "exists ('",
            other,
            "'). If you are sure no other running TF computations are using this cache prefix, "
            "delete the lockfile and re-initialize the iterator. Lockfile contents: ",
            other == lock ? read_file(lock) : "");
  if (const std::string folder = parent_path(path_); !folder.empty()) make_directories(folder);
  write_file(lock, str_cat("Created at: ", wall_micros() / 1'000'000));
  lock_ = lock;
  writer_ = std::make_unique<BundleWriter>(part);
}

void CacheFileWriter::unlock() {
  if (lock_.empty()) return;
  try {
    file_system_of(lock_).remove_file(lock_);
  } catch (const Error&) {  // somebody else did
  }
  lock_.clear();
}

void CacheFileWriter::add(const Element& element) {
  if (writer_ == nullptr) begin_part();
  require(elements_ < kMaxElements, "Upstream iterator is producing more than ", kMaxElements,
          " items, which is more than the cache limit.");
  require(static_cast<std::int64_t>(element.size()) == component_count_,
          "Upstream iterator returned invalid number of tensors. Expected ", component_count_,
          " got: ", element.size());
  for (std::int64_t c = 0; c < component_count_; ++c)
    writer_->add(key(elements_, c, component_count_), element[static_cast<std::size_t>(c)]);
  ++elements_;
}

void CacheFileWriter::end_part() {
  if (writer_ == nullptr) return;
  writer_->finish();
  writer_.reset();
  unlock();
  ++parts_;
}

void CacheFileWriter::finish() {
  if (writer_ == nullptr && parts_ == 0) begin_part();  // an empty one
  end_part();
  std::vector<std::string> parts;
  for (std::int64_t i = 0; i < parts_; ++i) parts.push_back(part_path(i));
  merge_bundles(parts, path_, {.delete_old_directories = false});
}

void CacheFileWriter::restore(std::int64_t parts, std::int64_t elements) {
  require(parts >= 0 && elements >= 0, "the saved position of the iterator has ", parts,
          " parts of a cache and ", elements, " elements");
  parts_ = parts;
  elements_ = elements;
}

bool CacheFileReader::exists(const std::string& path) {
  return file_exists(bundle_index_path(path));
}

CacheFileReader::CacheFileReader(const std::string& path, std::int64_t component_count)
    : reader_(CheckpointReader::open(path)), component_count_(component_count) {}

bool CacheFileReader::read(std::int64_t number, Element& element) const {
  element.clear();
  if (!reader_->tensors().contains(key(number, 0, component_count_))) return false;
  for (std::int64_t c = 0; c < component_count_; ++c)
    element.push_back(reader_->read(key(number, c, component_count_)));
  return true;
}

}  // namespace rill
