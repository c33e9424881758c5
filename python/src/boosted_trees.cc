// The core of tf.estimator's boosted trees: what python/rill/estimator/_boosted_trees.py is a face
// of.
#include "rill/api/estimator/canned/boosted_trees.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "estimator.h"
#include "feature_columns.h"
#include "heads.h"
#include "in_place.h"
#include "inputs.h"
#include "keras.h"
#include "plain_values.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

using estimator::BoostedTreesModel;

estimator::BoostedTreesSettings settings_of(const nb::dict& given) {
  const Settings s(given);
  return {.n_batches_per_layer = s.integer("n_batches_per_layer"),
          .n_trees = s.integer("n_trees"),
          .max_depth = s.integer("max_depth"),
          .learning_rate = s.number("learning_rate"),
          .l1_regularization = s.number("l1_regularization"),
          .l2_regularization = s.number("l2_regularization"),
          .tree_complexity = s.number("tree_complexity"),
          .min_node_weight = s.number("min_node_weight"),
          .center_bias = s.flag("center_bias"),
          .pruning_mode = s.text("pruning_mode")};
}

std::shared_ptr<BoostedTreesModel> make_model(nb::handle features, nb::handle mode,
                                              nb::handle columns, const nb::dict& settings) {
  std::shared_ptr<BoostedTreesModel> model;
  in_place(features, [&] {
    model = std::make_shared<BoostedTreesModel>(named_parts_of(features), mode_of(mode),
                                                columns_of(columns), settings_of(settings));
    return nb::none();
  });
  return model;
}

std::string bytes_of(const nb::bytes& value) { return {value.c_str(), value.size()}; }

}  // namespace

void bind_boosted_trees(nb::module_& m) {
  nb::class_<BoostedTreesModel>(m, "BoostedTreesModel")
      .def_prop_ro("logits", [](const BoostedTreesModel& self) { return give(self.logits()); })
      .def("train",
           [](BoostedTreesModel& self, nb::handle loss) {
             return give(self.train(converted_tensor(loss, "loss")));
           })
      .def("stop_hook", [](const BoostedTreesModel& self) { return self.stop_hook(); })
      .def("debug_outputs",
           [](const BoostedTreesModel& self) { return give(self.debug_outputs()); });
  m.def("make_boosted_trees", make_model);
  m.def("boosted_trees_feature_names", [](nb::handle columns) {
    return estimator::boosted_trees_feature_names(columns_of(columns));
  });
  m.def("boosted_trees_importances",
        [](const nb::bytes& ensemble, const std::vector<std::string>& names, bool normalize) {
          return estimator::feature_importances(bytes_of(ensemble), names, normalize);
        });
  m.def("boosted_trees_explanation",
        [](const nb::bytes& output, const std::vector<std::string>& names, bool sigmoid) {
          const estimator::Explanation found =
              estimator::explain_prediction(bytes_of(output), names, sigmoid);
          return nb::make_tuple(found.bias, nb::cast(found.contributions));
        });
}

}  // namespace rill::python
