#pragma once

#include <cstdint>
#include <mutex>
#include <string>

namespace rill::stores {

// Tokens for Google's services, from where its own programs look: GOOGLE_AUTH_TOKEN_FOR_TESTING,
// the file of GOOGLE_APPLICATION_CREDENTIALS (a service account or an authorized user), gcloud's
// application_default_credentials.json, the metadata server of a machine of Google's (not with
// NO_GCE_CHECK=true). Where there is none requests carry no token. Safe from several threads.
class GcsTokens {
 public:
  std::string token();
  // Looks again, because `refused` is taken no more. Whether another one was found.
  bool renew(const std::string& refused);

 private:
  struct Found {
    std::string token;
    std::int64_t until_micros = 0;  // 0: does not end
  };
  static Found find();
  static Found of_file(const std::string& path);
  static Found of_machine();
  static Found of_answer(const std::string& json);

  std::mutex mutex_;
  bool is_known_ = false;
  Found found_;
};

}  // namespace rill::stores
