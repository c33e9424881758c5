#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "rill/base/stores/sign_v4.h"

namespace rill::stores {

// The keys of AWS where its own programs look for them, in this order: AWS_ACCESS_KEY_ID and
// AWS_SECRET_ACCESS_KEY; a profile (AWS_PROFILE, or "default") of ~/.aws/credentials and
// ~/.aws/config; a web identity (AWS_WEB_IDENTITY_TOKEN_FILE); a container's metadata; an
// instance's. Where there are none requests are not signed. Keys that expire are fetched anew some
// minutes before they do. Safe from several threads.
class AwsCredentials {
 public:
  AwsKeys keys();
  // Looks again, because the server takes `refused` no more. Whether others were found.
  bool renew(const AwsKeys& refused);

 private:
  struct Found {
    AwsKeys keys;
    std::int64_t until_nanos = 0;  // since the epoch; 0: does not end
  };
  static Found find();
  static Found of_environment();
  static Found of_profile();
  static Found of_web_identity();
  static Found of_container();
  static Found of_instance();
  static Found of_json(const std::string& text);

  std::mutex mutex_;
  bool is_known_ = false;
  Found found_;
};

// "region" and the like of the profile in use; "" where nothing is said.
std::string aws_profile_value(const std::string& name);

}  // namespace rill::stores
