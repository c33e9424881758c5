#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>

#include "rill/base/stores/gcs_client.h"
#include "rill/base/stores/object_store.h"

namespace rill::stores {

ObjectFacts gcs_facts(const HttpAnswer& answer);  // of an object's description

// An upload that goes on where the server has it: one part is on its way while the next one is
// written. The server keeps it for a week when it goes away unfinished; nobody sees it.
class GcsUpload final : public Upload {
 public:
  GcsUpload(GcsClient& client, const Place& place);
  ~GcsUpload() override;
  void add(std::string bytes) override;
  ObjectFacts finish() override;

 private:
  void begin_sending(std::string bytes, bool is_last);
  void send_all(const std::string& bytes, bool is_last);
  HttpAnswer send_from(std::uint64_t offset, std::string_view bytes, bool is_last);
  HttpAnswer ask_how_far();
  void wait();

  GcsClient& client_;
  const Place place_;
  std::string session_, held_;  // held_: the part that is not on its way
  std::uint64_t offset_ = 0;    // of what is sent next
  std::uint32_t crc_ = 0;       // of all
  bool is_holding_ = false;
  HttpAnswer last_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable idle_;
  bool is_sending_ = false;
  std::exception_ptr failure_;
};

}  // namespace rill::stores
