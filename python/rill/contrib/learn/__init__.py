"""tf.contrib.learn: the estimators of earlier days, over those of tf.estimator."""

from rill.contrib.learn import datasets, io, learn_runner, preprocessing  # noqa: F401
from rill.contrib.learn._estimators import (  # noqa: F401
    BaseEstimator, DNNClassifier, DNNLinearCombinedClassifier, DNNLinearCombinedRegressor, DNNRegressor, Estimator,
    Evaluable, LinearClassifier, LinearRegressor, SKCompat, Trainable)
from rill.contrib.learn._experiment import Experiment  # noqa: F401
from rill.contrib.learn._parts import (  # noqa: F401
    ExportStrategy, InputFnOps, MetricSpec, ModeKeys, ModelFnOps, PredictionKey, ProblemType, RunConfig, TaskType,
    infer_real_valued_columns_from_input, infer_real_valued_columns_from_input_fn, make_export_strategy, run_feeds,
    run_n)
from rill.contrib.learn.io import numpy_input_fn, pandas_input_fn  # noqa: F401
