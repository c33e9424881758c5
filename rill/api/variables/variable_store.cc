#include "rill/api/core/basic_ops.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/variables/variable_creation.h"
#include "rill/api/variables/variable_scope.h"

namespace rill {
namespace {

const char* kReuseHint = " Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?";

// Where the program made a node, for messages.
std::string made_at(const Node& node) {
  if (!node.origin() || node.origin()->frames.empty()) return {};
  const Frame& frame = node.origin()->frames.front();
  return str_cat(" Originally defined at:\n\n  File \"", frame.file, "\", line ", frame.line,
                 ", in ", frame.function, "\n");
}

Initializer default_initializer(const std::string& name, DType dtype) {
  if (kFloatTypes.contains(dtype)) return glorot_uniform_initializer();
  if (kIntTypes.contains(dtype) || dtype == DType::boolean || dtype == DType::string)
    return zeros_initializer();
  raise(Code::kInvalidArgument, "An initializer for variable ", name, " of <dtype: '",
        numpy_name(dtype), "'> is required");
}

InitialValue initial_value_for(const GetVariableOptions& o, const Initializer& initializer,
                               const PartitionInfo* part, DType* dtype) {
  *dtype = DType::invalid;
  if (initializer.value()) return InitialValue(*initializer.value());
  if (o.shape && o.shape->is_full()) {
    *dtype = o.dtype;
    const PartitionInfo info = part == nullptr ? PartitionInfo() : *part;
    return std::function<Output()>(
        [initializer, shape = o.shape->full(), type = o.dtype, info, is_part = part != nullptr] {
          return initializer({shape, type, is_part ? &info : nullptr});
        });
  }
  require(bool(initializer.without_shape),
          "The initializer passed is not valid. It should be a callable with no arguments and the "
          "shape should not be provided or an instance of `tf.keras.initializers.*' and `shape` "
          "should be fully defined.");
  return initializer.without_shape;
}

// The sizes of `parts` parts of a dimension: the first ones are larger by one where it does not
// divide.
std::vector<std::int64_t> part_sizes(std::int64_t size, std::int64_t parts) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < parts; ++i)
    sizes.push_back(size / parts + (i < size % parts ? 1 : 0));
  return sizes;
}

std::size_t split_dimension(const std::string& name, const std::vector<std::int64_t>& partitions) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    if (partitions[i] == 1) continue;
    require(partitions[found] == 1 || found == i,
            "Can only slice a variable along one dimension: ", name);
    found = i;
  }
  return found;
}

std::vector<std::int64_t> checked_partitions(const Partitioner& partitioner,
                                             const PartialShape& shape, DType dtype) {
  require(shape.is_full(),
          "Shape of a new partitioned variable must be fully defined, but instead was ",
          shape_text(shape), ".");
  require(shape.rank() >= 1,
          "A partitioned Variable must have rank at least 1, shape: ", shape_text(shape));
  std::vector<std::int64_t> partitions = partitioner.split(shape, dtype);
  require(partitions.size() == static_cast<std::size_t>(shape.rank()),
          "Partitioner returned a partition list that does not match the Variable's rank: ",
          partitions.size(), " vs. ", shape_text(shape));
  for (const std::int64_t parts : partitions)
    require(parts >= 1, "Partitioner returned zero partitions for some axes: ", parts);
  return partitions;
}

}  // namespace

AnyVariable VariableStore::get(const std::string& name, const GetVariableOptions& options) {
  if (!options.custom_getter) return get_plainly(name, options);
  GetVariableOptions inner = options;
  inner.custom_getter = {};
  const Getter plainly = [this](const std::string& n, const GetVariableOptions& o) {
    return get_plainly(n, o);
  };
  return options.custom_getter.get(plainly, name, inner);
}

AnyVariable VariableStore::get_plainly(const std::string& name, const GetVariableOptions& o) {
  const bool is_scalar = o.shape && o.shape->has_rank() && o.shape->rank() == 0;
  if (o.partitioner && !is_scalar) {
    const NameScope top("");
    return get_partitioned(name, o);
  }
  if (o.reuse == Reuse::kYes && !o.partitioner && partitioned_.contains(name))
    return get_partitioned(name, o);
  require(
      !variables_.contains(name + "/part_0"),
      "No partitioner was provided, but a partitioned version of the variable was found: ", name,
      "/part_0. Perhaps a variable of the same name was already created with "
      "partitioning?");
  return get_single(name, o, nullptr);
}

Variable VariableStore::existing(const std::string& name, const GetVariableOptions& o) {
  const Variable found = variables_.at(name);
  if (o.reuse == Reuse::kUnset || o.reuse == Reuse::kNo)
    raise(Code::kInvalidArgument, "Variable ", name, " already exists, disallowed.", kReuseHint,
          made_at(found.op()));
  require(!o.shape || o.shape->is_compatible(found.shape()), "Trying to share variable ", name,
          ", but specified shape ", shape_text(o.shape.value_or(PartialShape())),
          " and found shape ", shape_text(found.shape()), ".");
  require(o.dtype == DType::invalid || o.dtype == found.dtype(), "Trying to share variable ", name,
          ", but specified dtype ", numpy_name(o.dtype), " and found dtype ",
          numpy_name(found.dtype()), ".");
  return found;
}

Variable VariableStore::get_single(const std::string& name, const GetVariableOptions& o,
                                   const PartitionInfo* part) {
  require(!(o.shape && o.initializer.value()),
          "If initializer is a constant, do not specify shape.");
  if (variables_.contains(name)) return existing(name, o);
  require(o.reuse != Reuse::kYes, "Variable ", name,
          " does not exist, or was not created with tf.get_variable(). Did you mean to set "
          "reuse=tf.AUTO_REUSE in VarScope?");
  const Initializer initializer =
      o.initializer ? o.initializer : default_initializer(name, o.dtype);
  Variable made;
  {
    const OutsideFlow outside;
    VariableOptions v;
    const InitialValue value = initial_value_for(o, initializer, part, &v.dtype);
    v.trainable = o.trainable;
    v.collections = o.collections;
    v.caching_device = o.caching_device;
    v.validate_shape = o.validate_shape;
    v.constraint = o.constraint.apply;
    v.use_resource = o.use_resource;
    v.synchronization = o.synchronization;
    v.aggregation = o.aggregation;
    v.name = name;
    made = Variable(value, v);
  }
  if (!made.is_eager() || keeps_eager_variables) variables_[name] = made;
  if (o.regularizer) add_regularization(name, made, o.regularizer);
  return made;
}

void VariableStore::add_regularization(const std::string& name, const AnyVariable& variable,
                                       const Regularizer& regularizer) {
  // As in TensorFlow the function is asked here whether there is a loss, and again for every use.
  if (!regularizer.loss(variable).node) return;
  const auto loss = [name, variable, regularizer] {
    const ColocateWith beside(std::get<Variable>(variable).op());
    const NameScope named(name + "/Regularizer/");
    return regularizer.loss(variable);
  };
  add_to_collection(GraphKeys::REGULARIZATION_LOSSES,
                    std::shared_ptr<Collectable>(std::make_shared<LazyTensor>(loss)));
}

PartitionedVariableRef VariableStore::existing_parts(const std::string& name,
                                                     const GetVariableOptions& o) {
  const PartitionedVariableRef found = partitioned_.at(name);
  require(o.reuse != Reuse::kUnset && o.reuse != Reuse::kNo, "Partitioned variable with name ",
          name, " already exists.", kReuseHint);
  const PartialShape shape{Shape(found->shape())};
  require(!o.shape || o.shape->is_compatible(shape), "Trying to reuse partitioned variable ", name,
          ", but specified shape ", shape_text(o.shape.value_or(PartialShape())),
          " and found shape ", shape_text(shape), ".");
  require(o.dtype == found->dtype(), "Trying to reuse partitioned variable ", name,
          ", but specified dtype ", numpy_name(o.dtype), " and found dtype ",
          numpy_name(found->dtype()), ".");
  require(
      !o.partitioner || checked_partitions(o.partitioner, shape, o.dtype) == found->partitions(),
      "Trying to reuse partitioned variable ", name,
      ", but specified partitions differ from those found.");
  return found;
}

PartitionedVariableRef VariableStore::get_partitioned(const std::string& name,
                                                      const GetVariableOptions& o) {
  require(!variables_.contains(name),
          "A partitioner was provided, but an unpartitioned version of the variable was found: ",
          name, ".  Perhaps a variable of the same name was already created without partitioning?");
  if (partitioned_.contains(name)) return existing_parts(name, o);
  require(o.reuse != Reuse::kYes, "PartitionedVariable ", name,
          " does not exist, or was not created with tf.get_variable(). Did you mean to set "
          "reuse=False or reuse=tf.AUTO_REUSE in VarScope?");
  PartialShape whole = o.shape.value_or(PartialShape());
  Output value;
  if (o.initializer.value()) {
    value = rill::as_tensor(*o.initializer.value(), "Const", o.dtype);
    whole = whole.has_rank() ? whole : value.shape();
  }
  const std::vector<std::int64_t> partitions = checked_partitions(o.partitioner, whole, o.dtype);
  const Shape shape = whole.full();
  const std::size_t axis = split_dimension(name, partitions);
  const std::vector<std::int64_t> dims(shape.dims().begin(), shape.dims().end());
  std::vector<std::int64_t> offset(dims.size(), 0);
  std::vector<Variable> parts;
  for (const std::int64_t size : part_sizes(dims[axis], partitions[axis])) {
    std::vector<std::int64_t> part_dims = dims;
    part_dims[axis] = size;
    const std::string part_name = str_cat(name, "/part_", parts.size());
    const PartitionInfo info{dims, offset};
    GetVariableOptions single = o;
    single.shape = PartialShape(Shape(part_dims));
    {
      const NameScope named(part_name + "/PartitionedInitializer");
      if (value.node) {
        single.initializer = Initializer(raw::Slice(value, Input(shape_tensor(Shape(offset))),
                                                    Input(shape_tensor(Shape(part_dims)))));
        single.shape = {};
      }
    }
    const NameScope top("");
    Variable part = get_single(part_name, single, &info);
    part->save_slice_info = SaveSliceInfo{name, dims, offset, part_dims};
    parts.push_back(part);
    offset[axis] += size;
  }
  return partitioned_[name] = std::make_shared<PartitionedVariable>(name, dims, o.dtype,
                                                                    std::move(parts), partitions);
}

}  // namespace rill
