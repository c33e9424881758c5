#pragma once

#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <string>

#include "rill/base/stores/object_store.h"
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
  void note_failure();
  void wait_until(int running);
  void rethrow();
  void complete();

  S3Client& client_;
  const Place place_;
  std::string id_;
  std::uint64_t size_ = 0;
  int parts_ = 0;
  bool is_finished_ = false;
  std::string version_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  int running_ = 0;
  std::map<int, std::string> tags_;
  std::exception_ptr failure_;
};

}  // namespace rill::stores
