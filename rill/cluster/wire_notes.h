#pragma once

#include <cstdint>
#include <vector>

namespace google::protobuf {
class Message;
}

namespace rill::cluster {

// What our tasks tell each other in TensorFlow's messages, in fields that TensorFlow's tasks do not
// know and leave alone.
enum class Note {
  kTakesNotes = 1000,  // of a GetStatusResponse: notes are read there
  kEndedSteps = 1001,  // of a RunGraphRequest: steps that are over, instead of CleanupGraph
  kMaster = 1002,      // of a CreateWorkerSessionRequest: the incarnation of its master's device
};

void add_note(google::protobuf::Message& message, Note note, std::int64_t value);
std::vector<std::int64_t> notes(const google::protobuf::Message& message, Note note);
bool has_field(const google::protobuf::Message& message, int number);  // that is not known here

}  // namespace rill::cluster
