"""Who earns more than 50,000 dollars, told by a wide and deep model: the tutorial of the census."""
import sys
import time

import tensorflow as tf

COLUMNS = ["age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation", "relationship",
           "race", "gender", "capital_gain", "capital_loss", "hours_per_week", "native_country", "income_bracket"]
DEFAULTS = [[0], [""], [0], [""], [0], [""], [""], [""], [""], [""], [0], [0], [0], [""], [""]]
EPOCHS = int(sys.argv[2]) if len(sys.argv) > 2 else 6
fc = tf.feature_column


def columns():
    numbers = {key: fc.numeric_column(key)
               for key in ("age", "education_num", "capital_gain", "capital_loss", "hours_per_week")}
    education = fc.categorical_column_with_vocabulary_list("education", [
        "Bachelors", "HS-grad", "11th", "Masters", "9th", "Some-college", "Assoc-acdm", "Assoc-voc", "7th-8th",
        "Doctorate", "Prof-school", "5th-6th", "10th", "1st-4th", "Preschool", "12th"])
    marital = fc.categorical_column_with_vocabulary_list("marital_status", [
        "Married-civ-spouse", "Divorced", "Married-spouse-absent", "Never-married", "Separated", "Married-AF-spouse",
        "Widowed"])
    relationship = fc.categorical_column_with_vocabulary_list("relationship", [
        "Husband", "Not-in-family", "Wife", "Own-child", "Unmarried", "Other-relative"])
    workclass = fc.categorical_column_with_vocabulary_list("workclass", [
        "Self-emp-not-inc", "Private", "State-gov", "Federal-gov", "Local-gov", "?", "Self-emp-inc", "Without-pay",
        "Never-worked"])
    occupation = fc.categorical_column_with_hash_bucket("occupation", 1000)
    ages = fc.bucketized_column(numbers["age"], [18, 25, 30, 35, 40, 45, 50, 55, 60, 65])
    wide = [education, marital, relationship, workclass, occupation, ages,
            fc.crossed_column(["education", "occupation"], 1000),
            fc.crossed_column([ages, "education", "occupation"], 1000)]
    deep = [*numbers.values(), fc.indicator_column(workclass), fc.indicator_column(education),
            fc.indicator_column(marital), fc.indicator_column(relationship), fc.embedding_column(occupation, 8)]
    return wide, deep


def rows(name, epochs, shuffle):
    def parsed(text):
        text = tf.strings.regex_replace(text, ", ", ",")
        features = dict(zip(COLUMNS, tf.decode_csv(text, DEFAULTS)))
        label = features.pop("income_bracket")
        return features, tf.strings.regex_full_match(label, ">50K.?")

    lines = tf.data.TextLineDataset(f"{sys.argv[1]}/{name}")
    lines = lines.filter(lambda text: tf.strings.regex_full_match(text, r"[0-9]+,.*K.?"))
    if shuffle:
        lines = lines.shuffle(40000, seed=1)
    return lines.repeat(epochs).batch(40).map(lambda text: parsed(text), num_parallel_calls=2).prefetch(4)


tf.logging.set_verbosity(tf.logging.ERROR)
wide, deep = columns()
model = tf.estimator.DNNLinearCombinedClassifier(
    linear_feature_columns=wide, dnn_feature_columns=deep, dnn_hidden_units=[100, 75, 50, 25],
    config=tf.estimator.RunConfig(tf_random_seed=1))
start = time.time()
model.train(lambda: rows("adult.data", EPOCHS, True))
seconds, steps = time.time() - start, model.get_variable_value("global_step")
found = model.evaluate(lambda: rows("adult.test", 1, False))
print("steps a second: {:.0f}".format(steps / seconds))
print("accuracy {accuracy:.4f}, baseline {accuracy_baseline:.4f}".format(**found))
