#pragma once

// The names of TensorFlow's messages. A program that makes one or looks into one includes
// <rill/messages.h>: their headers take a fifth of a second each, so rill/rill.h leaves them out.
namespace tensorflow {

class AssetFileDef;              // #include <rill/messages.h>
class AttrValue;                 // #include <rill/messages.h>
class BytesList;                 // #include <rill/messages.h>
class CheckpointState;           // #include <rill/messages.h>
class ClusterDef;                // #include <rill/messages.h>
class CollectionDef;             // #include <rill/messages.h>
class ConfigProto;               // #include <rill/messages.h>
class EmbeddingInfo;             // #include <rill/messages.h>
class Event;                     // #include <rill/messages.h>
class Example;                   // #include <rill/messages.h>
class Feature;                   // #include <rill/messages.h>
class FeatureList;               // #include <rill/messages.h>
class FeatureLists;              // #include <rill/messages.h>
class Features;                  // #include <rill/messages.h>
class FloatList;                 // #include <rill/messages.h>
class FunctionSpec;              // #include <rill/messages.h>
class GPUOptions;                // #include <rill/messages.h>
class GraphDef;                  // #include <rill/messages.h>
class GraphOptions;              // #include <rill/messages.h>
class HistogramProto;            // #include <rill/messages.h>
class Int64List;                 // #include <rill/messages.h>
class JobDef;                    // #include <rill/messages.h>
class LogMessage;                // #include <rill/messages.h>
class MetaGraphDef;              // #include <rill/messages.h>
class MetaGraphDef_MetaInfoDef;  // #include <rill/messages.h>
class NameAttrList;              // #include <rill/messages.h>
class NodeDef;                   // #include <rill/messages.h>
class OpList;                    // #include <rill/messages.h>
class OptimizerOptions;          // #include <rill/messages.h>
class ProjectorConfig;           // #include <rill/messages.h>
class RunMetadata;               // #include <rill/messages.h>
class SavedModel;                // #include <rill/messages.h>
class SavedObjectGraph;          // #include <rill/messages.h>
class SaverDef;                  // #include <rill/messages.h>
class SequenceExample;           // #include <rill/messages.h>
class ServerDef;                 // #include <rill/messages.h>
class SessionLog;                // #include <rill/messages.h>
class SignatureDef;              // #include <rill/messages.h>
class SpriteMetadata;            // #include <rill/messages.h>
class StepStats;                 // #include <rill/messages.h>
class StructuredValue;           // #include <rill/messages.h>
class Summary;                   // #include <rill/messages.h>
class SummaryDescription;        // #include <rill/messages.h>
class SummaryMetadata;           // #include <rill/messages.h>
class TaggedRunMetadata;         // #include <rill/messages.h>
class TensorInfo;                // #include <rill/messages.h>
class TensorProto;               // #include <rill/messages.h>
class TrackableObjectGraph;      // #include <rill/messages.h>

// tensorflow::SaverDef::CheckpointFormatVersion
enum SaverDef_CheckpointFormatVersion : int;

}  // namespace tensorflow
