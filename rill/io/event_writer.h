#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "rill/io/record_writer.h"

namespace tensorflow {
class Event;
}  // namespace tensorflow

namespace rill {

// Writes event files as TensorBoard reads them: "PREFIX.out.tfevents.TIME.HOST" and a suffix. The
// file is made, directory and version record included, when it is first needed; after close(), and
// when somebody has removed it, the next event begins a new one. Not safe from several threads.
class EventWriter {
 public:
  // As FileWriter names it, the prefix is LOGDIR/events.
  explicit EventWriter(std::string prefix, std::string suffix = "");

  const std::string& path();  // makes the file if need be
  void write(const tensorflow::Event& event);
  void write_serialized(std::string_view event);
  void write_serialized(std::span<const std::string> events);
  // Readers find every event. Throws Unknown when the file has gone ("The events file ... has
  // disappeared.").
  void flush();
  void sync();   // the same, also after a crash of the machine
  void close();  // flushes; the second call does nothing

 private:
  void open_if_needed();
  void check_still_there() const;

  const std::string prefix_, suffix_;
  std::string path_;
  std::unique_ptr<RecordWriter> records_;
  std::size_t unflushed_ = 0;  // events that are lost if the file is
};

}  // namespace rill
