#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rill/proto/messages_fwd.h"

// The messages that tf and tf.train name, for programs; the library itself says tensorflow::Event.
// Names alone: a program that makes a message or looks into one also includes <rill/messages.h>.
//
//   #include <rill/messages.h>
//   train::Example e = train::make_example({{"id", train::int64_feature({7})}});
//   io::TFRecordWriter("data.tfrecord").write(e.SerializeAsString());
namespace rill {

using tensorflow::Event;
using tensorflow::GraphDef;
using tensorflow::HistogramProto;
using tensorflow::LogMessage;
using tensorflow::MetaGraphDef;
using tensorflow::NodeDef;
using tensorflow::RunMetadata;
using tensorflow::SessionLog;
using tensorflow::Summary;
using tensorflow::SummaryDescription;
using tensorflow::SummaryMetadata;
using tensorflow::TaggedRunMetadata;

namespace train {

using tensorflow::BytesList;
using tensorflow::Example;
using tensorflow::Feature;
using tensorflow::FeatureList;
using tensorflow::FeatureLists;
using tensorflow::Features;
using tensorflow::FloatList;
using tensorflow::Int64List;
using tensorflow::SequenceExample;

// tf.train.Feature(int64_list=tf.train.Int64List(value=[...])) and its like. A feature holds one
// kind of list only; parse_example() fails where the kind is not the one that it is told to expect.
Feature int64_feature(const std::vector<std::int64_t>& values);
Feature float_feature(const std::vector<float>& values);
Feature bytes_feature(const std::vector<std::string>& values);

// make_example({{"id", int64_feature({7})}, {"name", bytes_feature({"seven"})}})
Example make_example(const std::map<std::string, Feature>& features);
// `context` holds what is said once for the sequence; `feature_lists` what each step says, one
// feature for each step. The lists may differ in length.
SequenceExample make_sequence_example(
    const std::map<std::string, Feature>& context,
    const std::map<std::string, std::vector<Feature>>& feature_lists);

}  // namespace train
}  // namespace rill
