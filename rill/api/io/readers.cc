#include "rill/api/io/readers.h"

#include "rill/api/core/graph_only.h"
#include "rill/api/core/op_call.h"
#include "rill/base/text.h"

namespace rill {
namespace {

Output made(OpCall call, const std::string& name, std::source_location at) {
  return call.add(name, at).output();
}

Output new_reader(OpCall call, const std::string& name, std::source_location at) {
  require_graph_mode(
      "Readers are not supported when eager execution is enabled. Instead, please use tf.data to "
      "get data into your model.");
  return made(std::move(call), name, at);
}

}  // namespace

// A reader of older graphs wants a queue of older graphs, which FakeQueue makes of any.
Output ReaderBase::queue_for(Output queue_ref, std::source_location at) const {
  const bool is_new = base_type(queue_ref.dtype()) == DType::resource;
  if (base_type(reader_ref_.dtype()) == DType::resource || !is_new) return queue_ref;
  return made(OpCall("FakeQueue").in(queue_ref), "", at);
}

std::string ReaderBase::op_name(const char* op) const {
  return base_type(reader_ref_.dtype()) == DType::resource ? str_cat(op, "V2") : op;
}

std::pair<Output, Output> ReaderBase::read(Output queue_ref, const ReaderOpOptions& options,
                                           std::source_location at) const {
  Node& node = OpCall(op_name("ReaderRead"))
                   .in(reader_ref_)
                   .in(queue_for(queue_ref, at))
                   .add(options.name, at);
  return {node.output(0), node.output(1)};
}

std::pair<Output, Output> ReaderBase::read_up_to(Output queue_ref, const Input& num_records,
                                                 const ReaderOpOptions& options,
                                                 std::source_location at) const {
  Node& node = OpCall(op_name("ReaderReadUpTo"))
                   .in(reader_ref_)
                   .in(queue_for(queue_ref, at))
                   .in(num_records)
                   .add(options.name, at);
  return {node.output(0), node.output(1)};
}

Output ReaderBase::num_records_produced(const ReaderOpOptions& options,
                                        std::source_location at) const {
  return made(OpCall(op_name("ReaderNumRecordsProduced")).in(reader_ref_), options.name, at);
}

Output ReaderBase::num_work_units_completed(const ReaderOpOptions& options,
                                            std::source_location at) const {
  return made(OpCall(op_name("ReaderNumWorkUnitsCompleted")).in(reader_ref_), options.name, at);
}

Output ReaderBase::serialize_state(const ReaderOpOptions& options, std::source_location at) const {
  return made(OpCall(op_name("ReaderSerializeState")).in(reader_ref_), options.name, at);
}

Node& ReaderBase::restore_state(const Input& state, const ReaderOpOptions& options,
                                std::source_location at) const {
  return OpCall(op_name("ReaderRestoreState")).in(reader_ref_).in(state).add(options.name, at);
}

Node& ReaderBase::reset(const ReaderOpOptions& options, std::source_location at) const {
  return OpCall(op_name("ReaderReset")).in(reader_ref_).add(options.name, at);
}

WholeFileReader::WholeFileReader(const ReaderOpOptions& options, std::source_location at)
    : ReaderBase(new_reader(OpCall("WholeFileReaderV2"), options.name, at), true) {}

TextLineReader::TextLineReader(const TextLineReaderOptions& options, std::source_location at)
    : ReaderBase(new_reader(
          OpCall("TextLineReaderV2").attr("skip_header_lines", options.skip_header_lines),
          options.name, at)) {}

FixedLengthRecordReader::FixedLengthRecordReader(std::int64_t record_bytes,
                                                 const FixedLengthRecordReaderOptions& options,
                                                 std::source_location at)
    : ReaderBase(new_reader(OpCall("FixedLengthRecordReaderV2")
                                .attr("record_bytes", record_bytes)
                                .attr("header_bytes", options.header_bytes)
                                .attr("footer_bytes", options.footer_bytes)
                                .attr("hop_bytes", options.hop_bytes)
                                .attr("encoding", options.encoding),
                            options.name, at)) {}

TFRecordReader::TFRecordReader(const TFRecordReaderOptions& options, std::source_location at)
    : ReaderBase(new_reader(
          OpCall("TFRecordReaderV2").attr("compression_type", options.options.compression_name()),
          options.name, at)) {}

LMDBReader::LMDBReader(const ReaderOpOptions& options, std::source_location at)
    : ReaderBase(new_reader(OpCall("LMDBReader"), options.name, at)) {}

IdentityReader::IdentityReader(const ReaderOpOptions& options, std::source_location at)
    : ReaderBase(new_reader(OpCall("IdentityReaderV2"), options.name, at), true) {}

}  // namespace rill
