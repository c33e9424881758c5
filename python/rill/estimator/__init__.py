"""tf.estimator: models that train, evaluate, predict and export themselves."""

from rill import _surface
from rill.estimator._boosted_trees import BoostedTreesClassifier, BoostedTreesEstimator, BoostedTreesRegressor
from rill.estimator._canned import (
    BaselineClassifier, BaselineEstimator, BaselineRegressor, DNNClassifier, DNNEstimator, DNNLinearCombinedClassifier,
    DNNLinearCombinedEstimator, DNNLinearCombinedRegressor, DNNRegressor, LinearClassifier, LinearEstimator,
    LinearRegressor)
from rill._hooks import (CheckpointSaverHook, CheckpointSaverListener, FeedFnHook, FinalOpsHook,
                         GlobalStepWaiterHook, LoggingTensorHook, NanLossDuringTrainingError, NanTensorHook,
                         ProfilerHook, SecondOrStepTimer, StepCounterHook, StopAtStepHook, SummarySaverHook)
from rill._session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from rill.estimator._estimator import Estimator, WarmStartSettings
from rill.estimator._heads import (
    BinaryClassHead, Head, LogisticRegressionHead, MultiClassHead, MultiHead, MultiLabelHead, PoissonRegressionHead,
    RegressionHead)
from rill.estimator._exporters import BestExporter, Exporter, FinalExporter, LatestExporter
from rill.estimator._more_metrics import add_metrics
from rill.estimator._model_fn import EstimatorSpec, ModeKeys
from rill.estimator._run_config import RunConfig
from rill.estimator._training import EvalSpec, TrainSpec, train_and_evaluate
from rill.train import VocabInfo

__getattr__, __dir__ = _surface.members_of(__name__)
