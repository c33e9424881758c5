#include "rill/io/checkpoint_damage.h"

#include "rill/base/error.h"
#include "rill/base/no_answer.h"
#include "rill/io/checkpoint_reader.h"

namespace rill {

std::string checkpoint_damage(const std::string& prefix) {
  try {
    const auto reader = CheckpointReader::open(prefix);
    for (const auto& [name, stored] : reader->tensors()) (void)reader->read(name);
  } catch (const Error& error) {
    if (is_no_answer(error, prefix)) throw;
    return error.message();
  }
  return "";
}

}  // namespace rill
