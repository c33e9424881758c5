#include "rill/base/stores/object_files.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/function_ref.h"
#include "rill/base/stores/object_writer.h"
#include "rill/base/stores/range_reader.h"

namespace rill::stores {
namespace {

constexpr std::size_t kRemovedAtOnce = 1000;

class ObjectSource final : public RangeSource {
 public:
  ObjectSource(ObjectStore& store, const Place& place) : store_(store), place_(place) {}
  ObjectFacts facts() const override {
    const auto found = store_.facts(place_);
    if (!found) raise(Code::kNotFound, place_.path, "; the object is gone");
    return *found;
  }
  void read(const std::string& version, std::uint64_t offset, std::span<char> out) const override {
    store_.read(place_, version, offset, out);
  }

 private:
  ObjectStore& store_;  // lives as long as the process
  const Place place_;
};

[[noreturn]] void raise_missing(const std::string& path) {
  raise(Code::kNotFound, path, "; No such file or directory");
}

Place folder_of(const Place& place) {
  Place folder = place;
  if (!folder.key.empty()) folder.key += '/';
  return folder;
}

FileFacts file_facts(const ObjectFacts& facts) {
  return {.size = facts.size, .modified_nanos = facts.modified_nanos, .is_directory = false};
}

void for_each_page(ObjectStore& store, const Place& place, bool by_folder,
                   FunctionRef<void(const ListedPage&)> use) {
  std::string from;
  do {
    const ListedPage page = store.list(place, by_folder, from);
    use(page);
    if (page.next == from) return;  // a server that does not get further
    from = page.next;
  } while (!from.empty());
}

// What a key is called in the folder that begins it.
std::string name_in(const Place& folder, std::string_view key) {
  std::string_view name = key.substr(std::min(folder.key.size(), key.size()));
  if (name.ends_with('/')) name.remove_suffix(1);
  return std::string(name);
}

}  // namespace

Place ObjectFiles::place_of(const std::string& path) const {
  std::string_view rest = path;
  rest.remove_prefix(scheme_of(path).size() + 3);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  Place place{.bucket = std::string(rest.substr(0, slash)), .key = "", .path = path};
  require(!place.bucket.empty(), store_->scheme(), " path doesn't contain a bucket name: ", path);
  rest.remove_prefix(std::min(slash + 1, rest.size()));
  while (rest.ends_with('/')) rest.remove_suffix(1);
  place.key = rest;
  return place;
}

Place ObjectFiles::object_place(const std::string& path) const {
  Place place = place_of(path);
  require(!place.key.empty(), store_->scheme(), " path doesn't contain an object name: ", path);
  return place;
}

bool ObjectFiles::is_folder(const Place& place) const {
  if (place.key.empty()) return store_->has_bucket(place);
  const ListedPage page = store_->list(folder_of(place), /*by_folder=*/false, "", /*most=*/1);
  return !page.objects.empty();
}

ObjectFacts ObjectFiles::object_facts(const Place& place) const {
  if (const auto facts = store_->facts(place)) return *facts;
  if (is_folder(place)) raise(Code::kFailedPrecondition, place.path, "; Is a directory");
  raise_missing(place.path);
}

std::unique_ptr<ReadableFile> ObjectFiles::open(const std::string& path) {
  const Place place = object_place(path);
  const ObjectFacts facts = object_facts(place);
  return open_ranges(path, std::make_shared<ObjectSource>(*store_, place), facts, ahead_);
}

std::unique_ptr<WritableFile> ObjectFiles::create(const std::string& path, WriteMode mode) {
  return write_object(*store_, object_place(path), mode);
}

FileFacts ObjectFiles::facts(const std::string& path) {
  const Place place = place_of(path);
  if (!place.key.empty())
    if (const auto found = store_->facts(place)) return file_facts(*found);
  if (is_folder(place)) return {.is_directory = true};
  raise_missing(path);
}

std::vector<NamedFacts> ObjectFiles::list_with_facts(const std::string& directory) {
  const Place place = place_of(directory), folder = folder_of(place);
  std::vector<NamedFacts> found;
  bool is_there = false;
  for_each_page(*store_, folder, /*by_folder=*/true, [&](const ListedPage& page) {
    is_there = is_there || !page.objects.empty() || !page.folders.empty();
    for (const ListedObject& object : page.objects)
      if (object.key != folder.key)
        found.push_back({name_in(folder, object.key), file_facts(object.facts)});
    for (const std::string& key : page.folders)
      found.push_back({name_in(folder, key), {.is_directory = true}});
  });
  if (!is_there && !place.key.empty()) {
    if (store_->facts(place)) raise(Code::kFailedPrecondition, directory, "; Not a directory");
    raise_missing(directory);
  }
  std::erase_if(found, [](const NamedFacts& one) { return one.name.empty(); });
  std::ranges::stable_sort(found, {}, &NamedFacts::name);
  const auto twins = std::ranges::unique(found, {}, &NamedFacts::name);
  found.erase(twins.begin(), twins.end());
  return found;
}

std::vector<std::string> ObjectFiles::list(const std::string& directory) {
  std::vector<std::string> names;
  for (NamedFacts& found : list_with_facts(directory)) names.push_back(std::move(found.name));
  return names;
}

void ObjectFiles::remove_file(const std::string& path) {
  const Place place = object_place(path);
  (void)object_facts(place);  // removing nothing is no error there
  store_->remove(place);
}

void ObjectFiles::make_directory(const std::string& path) {
  const Place place = place_of(path);
  if (place.key.empty()) {
    if (store_->has_bucket(place)) raise(Code::kAlreadyExists, path, "; File exists");
    raise(Code::kNotFound, path, "; there is no such bucket, and none is made");
  }
  if (store_->facts(place) || is_folder(place)) raise(Code::kAlreadyExists, path, "; File exists");
  (void)store_->put(folder_of(place), "");
}

void ObjectFiles::remove_directory(const std::string& path) {
  const Place folder = folder_of(object_place(path));
  const ListedPage page = store_->list(folder, /*by_folder=*/false, "", /*most=*/2);
  if (page.objects.empty()) {
    if (store_->facts(object_place(path)))
      raise(Code::kFailedPrecondition, path, "; Not a directory");
    raise_missing(path);
  }
  if (page.objects.size() > 1 || page.objects[0].key != folder.key)
    raise(Code::kFailedPrecondition, path, "; Directory not empty");
  store_->remove(folder);
}

bool ObjectFiles::remove_below(const std::string& directory) {
  const Place folder = folder_of(object_place(directory));
  std::vector<std::string> keys;
  const auto remove = [&] {
    if (!keys.empty()) store_->remove_all(folder.bucket, keys, directory);
    keys.clear();
  };
  for_each_page(*store_, folder, /*by_folder=*/false, [&](const ListedPage& page) {
    for (const ListedObject& object : page.objects) {
      keys.push_back(object.key);
      if (keys.size() == kRemovedAtOnce) remove();
    }
  });
  remove();
  return true;
}

void ObjectFiles::rename(const std::string& from, const std::string& to) {
  const Place source = object_place(from), target = object_place(to);
  if (source.bucket == target.bucket && source.key == target.key) return;
  if (!store_->facts(source)) {
    if (!is_folder(source)) raise_missing(from);
    return rename_folder(folder_of(source), folder_of(target));
  }
  if (is_folder(target)) raise(Code::kFailedPrecondition, to, "; Is a directory");
  store_->copy(source, target);
  store_->remove(source);
}

void ObjectFiles::rename_folder(const Place& from, const Place& to) {
  require(from.bucket != to.bucket || !to.key.starts_with(from.key), from.path,
          "; cannot be moved below itself, to ", to.path);
  std::vector<std::string> keys;
  for_each_page(*store_, from, /*by_folder=*/false, [&](const ListedPage& page) {
    for (const ListedObject& object : page.objects) keys.push_back(object.key);
  });
  for (const std::string& key : keys)
    store_->copy({from.bucket, key, from.path},
                 {to.bucket, to.key + key.substr(from.key.size()), to.path});
  for (std::size_t i = 0; i < keys.size(); i += kRemovedAtOnce)
    store_->remove_all(from.bucket,
                       std::span(keys).subspan(i, std::min(kRemovedAtOnce, keys.size() - i)),
                       from.path);
}

bool ObjectFiles::copy_within(const std::string& from, const std::string& to) {
  const Place source = object_place(from), target = object_place(to);
  if (source.bucket == target.bucket && source.key == target.key) return false;
  store_->copy(source, target);
  return true;
}

}  // namespace rill::stores
