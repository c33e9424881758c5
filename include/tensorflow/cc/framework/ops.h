#ifndef TENSORFLOW_CC_FRAMEWORK_OPS_H_
#define TENSORFLOW_CC_FRAMEWORK_OPS_H_

#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/framework/tensor.pb.h"
#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/gtl/array_slice.h"

namespace rill {
class Node;
}

namespace tensorflow {

class Output;

// A node of a graph.
class Node {
 public:
  explicit Node(::rill::Node* node = nullptr) : node_(node) {}
  const string& name() const;
  const string& type_string() const;
  int id() const;
  int num_inputs() const;
  int num_outputs() const;
  DataType output_type(int o) const;
  DataType input_type(int i) const;
  ::rill::Node* get() const { return node_; }

 private:
  ::rill::Node* node_;
};

class Operation {
 public:
  Operation() {}
  explicit Operation(::rill::Node* node) : node_(node) {}
  int32 num_inputs() const { return node_.num_inputs(); }
  DataType input_type(int32 i) const { return node_.input_type(i); }
  Output input(int32 i) const;
  int32 num_outputs() const { return node_.num_outputs(); }
  DataType output_type(int32 i) const { return node_.output_type(i); }
  Output output(int32 i) const;
  Node* node() const { return node_.get() == nullptr ? nullptr : const_cast<Node*>(&node_); }
  uint64 hash(int32 index) const {
    return reinterpret_cast<uintptr_t>(node_.get()) * 31 + static_cast<uint64>(index + 1);
  }
  bool operator==(const Operation& other) const { return node_.get() == other.node_.get(); }

 private:
  Node node_;
};

// One output of an operation.
class Output {
 public:
  Output() : index_(0) {}
  explicit Output(Node* node) : op_(node->get()), index_(0) {}
  Output(Node* node, int32 index) : op_(node == nullptr ? nullptr : node->get()), index_(index) {}
  Output(const Operation& op, int32 index) : op_(op), index_(index) {}
  explicit Output(const Operation& op) : op_(op), index_(0) {}

  Operation op() const { return op_; }
  Node* node() const { return op_.node(); }
  int32 index() const { return index_; }
  DataType type() const { return op_.output_type(index_); }
  string name() const;  // "node:0"
  bool operator==(const Output& other) const { return op_ == other.op_ && index_ == other.index_; }
  uint64 hash() const { return op_.hash(index_); }

 private:
  Operation op_;
  int32 index_;
};

struct OutputHash {
  std::size_t operator()(const Output& output) const { return output.hash(); }
};

// What an op takes: an output, or a value that becomes a constant.
class Input {
 public:
  // A value written in the program: 3.0f, {1, 2}, {{1, 2}, {3, 4}}, a Tensor.
  struct Initializer {
    template <typename T>
    struct ElementOf {
      typedef typename std::conditional<
          std::is_convertible<T, string>::value, string,
          typename std::conditional<std::is_same<T, long>::value, int64, T>::type>::type Type;
    };
    template <typename T>
    struct IsElement
        : std::integral_constant<
              bool, std::is_arithmetic<T>::value || std::is_convertible<T, string>::value ||
                        std::is_same<T, Eigen::half>::value || std::is_same<T, bfloat16>::value ||
                        std::is_same<T, complex64>::value || std::is_same<T, complex128>::value> {};

    template <typename T, typename = typename std::enable_if<IsElement<T>::value>::type>
    Initializer(const T& v) {
      typedef typename ElementOf<T>::Type Element;
      tensor = Tensor(DataTypeToEnum<Element>::v(), TensorShape());
      tensor.flat<Element>()(0) = Element(v);
    }
    Initializer(const Tensor& t) : tensor(t) {}
    // One value, as often as the shape asks for.
    template <typename T, typename = typename std::enable_if<IsElement<T>::value>::type>
    Initializer(const T& v, const TensorShape& shape) {
      typedef typename ElementOf<T>::Type Element;
      tensor = Tensor(DataTypeToEnum<Element>::v(), shape);
      for (int64 i = 0; i < tensor.NumElements(); ++i) tensor.flat<Element>()(i) = Element(v);
    }
    template <typename T, typename = typename std::enable_if<IsElement<T>::value>::type>
    Initializer(const std::initializer_list<T>& v) {
      Fill(v, TensorShape({static_cast<int64>(v.size())}));
    }
    template <typename T, typename = typename std::enable_if<IsElement<T>::value>::type>
    Initializer(const std::initializer_list<T>& v, const TensorShape& shape) {
      if (shape.num_elements() != static_cast<int64>(v.size())) {
        status = errors::InvalidArgument("Cannot construct a tensor with ", shape.num_elements(),
                                         " from an initializer list with ", v.size(), " elements");
        return;
      }
      Fill(v, shape);
    }
    // Rows of equal type and shape.
    Initializer(const std::initializer_list<Initializer>& v);

    TensorProto AsTensorProto() const;
    Status status;
    Tensor tensor;

   private:
    template <typename T>
    void Fill(const std::initializer_list<T>& v, const TensorShape& shape) {
      typedef typename ElementOf<T>::Type Element;
      tensor = Tensor(DataTypeToEnum<Element>::v(), shape);
      int64 i = 0;
      for (const T& item : v) tensor.flat<Element>()(i++) = Element(item);
    }
  };

  Input(const Output& o) : output_(o) {}
  template <typename T, typename = typename std::enable_if<Initializer::IsElement<T>::value>::type>
  Input(const T& v) : Input(Initializer(v)) {}
  Input(const Initializer& init) : status_(init.status), tensor_(init.tensor), has_value_(true) {}
  Input(const Tensor& t) : tensor_(t), has_value_(true) {}
  Input(const std::initializer_list<Initializer>& init) : Input(Initializer(init)) {}
  Input(const string& name, int32 index, DataType) : name_(name), name_index_(index) {}

  Node* node() const { return output_.node(); }
  string node_name() const { return name_; }
  int32 index() const { return node() != nullptr ? output_.index() : name_index_; }
  DataType data_type() const { return node() != nullptr ? output_.type() : tensor_.dtype(); }
  Status status() const { return status_; }
  const Tensor& tensor() const { return tensor_; }
  bool has_value() const { return has_value_; }
  const Output& output() const { return output_; }

 private:
  Status status_;
  Output output_;
  Tensor tensor_;
  bool has_value_ = false;
  string name_;
  int32 name_index_ = 0;
};

typedef std::vector<Output> OutputList;

class InputList {
 public:
  InputList(const OutputList& out) : inputs_(out.begin(), out.end()) {}
  InputList(const std::initializer_list<Input>& inputs) : inputs_(inputs) {}
  InputList(const std::initializer_list<Output>& out) : inputs_(out.begin(), out.end()) {}
  InputList(const std::initializer_list<Tensor>& tensors)
      : inputs_(tensors.begin(), tensors.end()) {}
  InputList(const std::vector<Tensor>& tensors) : inputs_(tensors.begin(), tensors.end()) {}
  InputList(const std::vector<Input>& inputs) : inputs_(inputs) {}
  std::vector<Input>::const_iterator begin() const { return inputs_.begin(); }
  std::vector<Input>::const_iterator end() const { return inputs_.end(); }
  size_t size() const { return inputs_.size(); }
  const Input& operator[](size_t i) const { return inputs_.at(i); }

 private:
  std::vector<Input> inputs_;
};

}  // namespace tensorflow

#endif
