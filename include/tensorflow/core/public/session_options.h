#ifndef TENSORFLOW_CORE_PUBLIC_SESSION_OPTIONS_H_
#define TENSORFLOW_CORE_PUBLIC_SESSION_OPTIONS_H_

#include <string>

#include "tensorflow/core/platform/env.h"
#include "tensorflow/core/platform/types.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace tensorflow {

struct SessionOptions {
  SessionOptions() : env(Env::Default()) {}
  Env* env;
  string target;  // "" or "local"
  ConfigProto config;
};

}  // namespace tensorflow

#endif
