#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rill::stores {

// An object's place. `path` is what a user wrote, for messages.
struct Place {
  std::string bucket, key, path;
};

struct ObjectFacts {
  std::uint64_t size = 0;
  std::int64_t modified_nanos = 0;
  std::string version;  // other bytes have another one; "" where nobody knows
};

struct ListedObject {
  std::string key;
  ObjectFacts facts;
};
struct ListedPage {
  std::vector<ListedObject> objects;
  std::vector<std::string> folders;  // keys up to and with the next slash
  std::string next;                  // what list() is given for the next page; "" behind the last
};

// An object in the making. It is there when finish() has returned, and not before; going away
// without that leaves what was there.
class Upload {
 public:
  virtual ~Upload() = default;
  // May return before it is sent; what fails is thrown by a later call.
  virtual void add(std::string bytes) = 0;
  virtual ObjectFacts finish() = 0;
};

// One kind of object store. Every call is tried again where that may help, and throws errors as
// files do, with place and request.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;
  virtual std::string scheme() const = 0;
  virtual std::optional<ObjectFacts> facts(const Place& place) = 0;
  // Fills `out` with what stands at `offset`, all of it. Throws FailedPrecondition when the object
  // is no longer of this version.
  virtual void read(const Place& place, const std::string& version, std::uint64_t offset,
                    std::span<char> out) = 0;
  virtual ObjectFacts put(const Place& place, std::string_view bytes) = 0;
  virtual std::unique_ptr<Upload> upload(const Place& place) = 0;
  // One that begins with what is there, which must be of this version and of at least
  // smallest_base() bytes.
  virtual std::unique_ptr<Upload> upload_behind(const Place& place, const ObjectFacts& base) = 0;
  virtual std::uint64_t smallest_base() const = 0;
  virtual std::size_t part_size(std::uint64_t offset) const = 0;  // what add() is best given there
  virtual void copy(const Place& from, const Place& to) = 0;
  virtual void remove(const Place& place) = 0;
  virtual void remove_all(const std::string& bucket, std::span<const std::string> keys,
                          const std::string& path) = 0;
  // Objects whose keys begin with place.key. With `by_folder` what has a further slash is told as a
  // folder. `most`: 0, or how many are enough.
  virtual ListedPage list(const Place& place, bool by_folder, const std::string& from,
                          int most = 0) = 0;
  virtual bool has_bucket(const Place& place) = 0;
};

}  // namespace rill::stores
