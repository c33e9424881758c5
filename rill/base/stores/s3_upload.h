#pragma once

#include <map>
#include <mutex>
#include <string>

#include "rill/base/stores/object_store.h"
#include "rill/base/stores/parts_in_flight.h"
#include "rill/base/stores/s3_client.h"

namespace rill::stores {

// An upload in parts, several on their way at once. It is given up when it goes away unfinished.
class S3Upload final : public Upload {
 public:
  S3Upload(S3Client& client, const Place& place);
  ~S3Upload() override;
  // The next parts are those bytes of an object, which must be of this version.
  void copy(const Place& from, const ObjectFacts& facts);
  void add(std::string bytes) override;
  ObjectFacts finish() override;

 private:
  Query part_query(int number) const;
  void note_part(int number, std::string tag);
  void complete();

  S3Client& client_;
  const Place place_;
  std::string id_;
  std::uint64_t size_ = 0;
  int parts_ = 0;
  bool is_finished_ = false;
  std::string version_;
  std::mutex mutex_;
  std::map<int, std::string> tags_;  // guarded by mutex_
  PartsInFlight parts_in_flight_;    // which use the rest
};

}  // namespace rill::stores
