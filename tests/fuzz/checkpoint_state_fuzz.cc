// Any bytes as the state file of a directory of checkpoints.
#include <google/protobuf/stubs/logging.h>

#include <cstdint>
#include <cstdlib>

#include "rill/api/saver/checkpoint_state.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const google::protobuf::LogSilencer no_words_about_bad_utf8;
  static const bool silent = setenv("TF_CPP_MIN_LOG_LEVEL", "3", 1) == 0;
  (void)silent;
  const std::string directory = "ram://fuzz_checkpoint_state";
  rill::make_directories(directory);
  rill::write_file(directory + "/checkpoint", {reinterpret_cast<const char*>(data), size});
  try {
    rill::train::get_checkpoint_state(directory);
  } catch (const rill::Error&) {
  }
  return 0;
}
