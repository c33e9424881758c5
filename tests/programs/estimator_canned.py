"""Premade estimators: what they learn, measure and predict."""
import tensorflow as tf

from helpers.canned_runs import (CLASSES, NUMBERS, TWO, X, built, columns, config, fc, fresh, given, partial, predicted,
                                 run, variables)
from helpers.head_runs import alone, binary, multi_class, refused, regression

E = tf.estimator
ONES = dict(activation_fn=tf.nn.tanh)


def dnn(kind, **more):
    number, _, hot = columns()
    return partial(kind, hidden_units=[3, 2], feature_columns=[number, hot], **more)


def linear(kind, **more):
    number, words, _ = columns()
    return partial(kind, feature_columns=[number, words], **more)


def combined(kind, **more):
    number, words, hot = columns()
    return partial(kind, linear_feature_columns=[number, words], dnn_feature_columns=[number, hot],
                   dnn_hidden_units=[3], **more)


def program_dnn_classifier():
    return run(dnn(E.DNNClassifier, n_classes=3), CLASSES)


def program_dnn_two_classes():
    return run(dnn(E.DNNClassifier), TWO)


def program_dnn_nodes():
    return built(dnn(E.DNNClassifier, n_classes=3), CLASSES)


def program_dnn_embedding():
    number, words, _ = columns()
    made = tf.constant_initializer([[0.1, 0.2], [0.3, -0.1], [0.5, 0.4]])
    shown = built(partial(E.DNNClassifier, hidden_units=[2], feature_columns=[
        number, fc.embedding_column(words, 2, initializer=made)]), TWO)
    return dict(names=shown["names"], variables=shown["variables"], trained=shown["trained"])


def program_dnn_nodes_of_evaluation():
    return built(dnn(E.DNNClassifier), TWO, "eval")


def program_dnn_nodes_of_prediction():
    return built(dnn(E.DNNClassifier), TWO, "infer")


def program_dnn_batch_norm():
    return run(dnn(E.DNNClassifier, batch_norm=True, optimizer="SGD"), TWO)


def program_dnn_batch_norm_nodes():
    return built(dnn(E.DNNClassifier, batch_norm=True), TWO)


def program_dnn_dropout():
    shown = built(dnn(E.DNNClassifier, dropout=0.5), TWO)
    return dict(variables=shown["variables"], summaries=shown["summaries"])


def program_dnn_dropout_is_for_training():
    return built(dnn(E.DNNClassifier, dropout=0.5), TWO, "eval")


def program_dnn_weights():
    return run(dnn(E.DNNClassifier, weight_column="w", optimizer="Adam"), TWO)


def program_dnn_vocabulary():
    words = ["low", "mid", "high"]
    labels = [words[i] for i in CLASSES]
    return run(dnn(E.DNNClassifier, n_classes=3, label_vocabulary=words, **ONES), labels)


def program_dnn_regressor():
    return run(dnn(E.DNNRegressor, optimizer=lambda: tf.train.GradientDescentOptimizer(0.01)), NUMBERS)


def program_dnn_regressor_of_vectors():
    return run(dnn(E.DNNRegressor, label_dimension=2, weight_column="w"), X)


def program_dnn_estimator():
    return run(dnn(E.DNNEstimator, head=multi_class(3, name="kinds")), CLASSES)


def program_dnn_mean_loss():
    return run(dnn(E.DNNClassifier, loss_reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE), TWO)


def program_dnn_optimizer_object():
    return run(dnn(E.DNNClassifier, optimizer=tf.train.MomentumOptimizer(0.05, 0.9)), TWO, predict=False)


def program_dnn_ftrl():
    return run(dnn(E.DNNClassifier, optimizer="Ftrl"), TWO, predict=False)


def program_dnn_rmsprop():
    return run(dnn(E.DNNClassifier, optimizer="RMSProp"), TWO, predict=False)


def program_linear_classifier():
    return run(linear(E.LinearClassifier), TWO)


def program_linear_several_classes():
    return run(linear(E.LinearClassifier, n_classes=3), CLASSES)


def program_linear_nodes():
    return built(linear(E.LinearClassifier), TWO)


def program_linear_nodes_of_several_classes():
    return built(linear(E.LinearClassifier, n_classes=3), CLASSES)


def program_linear_regressor():
    return run(linear(E.LinearRegressor), NUMBERS)


def program_linear_regressor_weights():
    return run(linear(E.LinearRegressor, weight_column="w", optimizer="SGD"), NUMBERS)


def program_linear_estimator():
    return run(linear(E.LinearEstimator, head=regression(label_dimension=2)), X)


def program_linear_combiner():
    return run(linear(E.LinearClassifier, sparse_combiner="mean"), TWO, predict=False)


def program_linear_crossed():
    number, words, _ = columns()
    buckets = fc.bucketized_column(fc.numeric_column("w"), [0.5, 1.5])
    crossed = fc.crossed_column([buckets, "c"], 5)
    return run(partial(E.LinearClassifier, feature_columns=[buckets, crossed, words]), TWO)


def program_combined_classifier():
    return run(combined(E.DNNLinearCombinedClassifier), TWO)


def program_combined_nodes():
    return built(combined(E.DNNLinearCombinedClassifier), TWO)


def program_combined_several_classes():
    return run(combined(E.DNNLinearCombinedClassifier, n_classes=3, batch_norm=True), CLASSES)


def program_combined_regressor():
    return run(combined(E.DNNLinearCombinedRegressor, dnn_optimizer="SGD", linear_optimizer="SGD"), NUMBERS)


def program_combined_estimator():
    return run(combined(E.DNNLinearCombinedEstimator, head=binary(thresholds=[0.5])), TWO)


def program_only_wide():
    number, words, _ = columns()
    return run(partial(E.DNNLinearCombinedClassifier, linear_feature_columns=[number, words]), TWO)


def program_only_deep():
    number, _, hot = columns()
    return run(partial(E.DNNLinearCombinedClassifier, dnn_feature_columns=[number, hot], dnn_hidden_units=[2]), TWO)


def program_baseline_classifier():
    return run(E.BaselineClassifier, TWO)


def program_baseline_several_classes():
    return run(partial(E.BaselineClassifier, n_classes=3), CLASSES, steps=8)


def program_baseline_weights():
    return run(partial(E.BaselineClassifier, weight_column="w"), TWO)


def program_baseline_regressor():
    return run(partial(E.BaselineRegressor, label_dimension=2), X)


def program_baseline_estimator():
    return run(partial(E.BaselineEstimator, head=regression()), NUMBERS)


def program_baseline_nodes():
    model = E.BaselineRegressor(config=config())
    with tf.Graph().as_default():
        tf.train.create_global_step()
        model.model_fn({"x": tf.constant(X)}, tf.constant(NUMBERS[:, None]), "train", model.config)
        return dict(names=[op.name for op in tf.get_default_graph().get_operations() if "gradients/" not in op.name])


def program_goes_on_training():
    where = fresh()
    number, words, _ = columns()
    for _ in range(2):
        E.LinearClassifier([number, words], model_dir=where, config=config()).train(given(TWO), steps=2)
    return variables(E.LinearClassifier([number, words], model_dir=where))


def program_warm_start():
    number, words, _ = columns()
    first = E.LinearClassifier([number, words], model_dir=fresh(), config=config()).train(given(TWO), steps=3)
    settings = E.WarmStartSettings(first.model_dir, vars_to_warm_start=".*weights.*")
    second = E.LinearClassifier([number, words], model_dir=fresh(), config=config(), warm_start_from=settings)
    second.train(given(TWO), steps=1)
    return dict(names=list(variables(second)), values=list(variables(second).values()))


def program_some_predictions():
    number, words, _ = columns()
    model = E.LinearClassifier([number, words], model_dir=fresh(), config=config()).train(given(TWO), steps=1)
    found = predicted(model, 3, predict_keys=["logistic", "classes"])
    return dict(keys=list(found[0]), found=found)


def program_exported_signatures():
    number, words, _ = columns()
    model = E.LinearClassifier([number, words], model_dir=fresh(), config=config()).train(given(TWO), steps=1)
    spec = fc.make_parse_example_spec([number, words])
    path = model.export_saved_model(fresh(), E.export.build_parsing_serving_input_receiver_fn(spec))
    with tf.Session(graph=tf.Graph()) as session:
        found = tf.saved_model.loader.load(session, ["serve"], path).signature_def
        return dict(keys=sorted(found), methods=[found[key].method_name for key in sorted(found)],
                    outputs=[sorted(found[key].outputs) for key in sorted(found)],
                    names=[sorted(info.name for info in found[key].outputs.values()) for key in sorted(found)])


@alone
def program_logit_functions():
    number, words, hot = columns()
    build = E.experimental
    with tf.variable_scope("deep"):
        deep = build.dnn_logit_fn_builder(2, [3], [number], tf.nn.relu, None, None, False)
        one = build.call_logit_fn(deep, {"x": tf.constant(X)}, "train", None, None)
    with tf.variable_scope("wide"):
        wide = build.linear_logit_fn_builder(2, [number])
        two = build.call_logit_fn(wide, {"x": tf.constant(X)}, "train", None, None)
    names = [v.name for v in tf.global_variables()]
    return dict(shapes=[one.shape.as_list(), two.shape.as_list()], variables=names)


@alone
def program_refused():
    number, words, hot = columns()
    tensor = dict(features=tf.constant(X), labels=None, mode="infer", config=None)
    return dict(none=refused(lambda: E.DNNLinearCombinedClassifier()),
                classes=refused(lambda: E.DNNClassifier([2], [number], n_classes=1)),
                optimizer=refused(lambda: E.DNNClassifier([2], [number], optimizer="Best").train(given(TWO), steps=1)),
                object=refused(lambda: E.DNNClassifier([2], [number], optimizer=3).train(given(TWO), steps=1))[0],
                features=refused(lambda: E.LinearClassifier([number]).model_fn(**tensor))[0],
                hidden=refused(lambda: E.DNNLinearCombinedClassifier(dnn_feature_columns=[number]).train(
                    given(TWO), steps=1)),
                untrained=refused(lambda: next(E.LinearClassifier([number], model_dir=fresh()).predict(given())))[0])
