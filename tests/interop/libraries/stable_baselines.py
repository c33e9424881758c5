"""Stable Baselines 2: its getting started, PPO2 on CartPole, and A2C, DQN and saved models."""
import os
import tempfile

import gym
from stable_baselines import A2C, DQN, PPO2
from stable_baselines.common.evaluation import evaluate_policy
from stable_baselines.common.policies import MlpPolicy
from stable_baselines.common.vec_env import DummyVecEnv


def cart_pole(seed=0):
    env = gym.make("CartPole-v1")
    env.seed(seed)
    env.action_space.seed(seed)
    return env


def main():
    env = DummyVecEnv([cart_pole])
    model = PPO2(MlpPolicy, env, verbose=0, seed=0, n_cpu_tf_sess=1)
    before, _ = evaluate_policy(model, cart_pole(1), n_eval_episodes=10, deterministic=False)
    model.learn(total_timesteps=8000)
    after, _ = evaluate_policy(model, cart_pole(1), n_eval_episodes=10, deterministic=False)
    assert after > before, (before, after)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ppo")
        model.save(path)
        loaded = PPO2.load(path, env=env)
        observed = env.reset()
        assert loaded.predict(observed, deterministic=True)[0] == model.predict(observed, deterministic=True)[0]
        loaded.learn(total_timesteps=256)
    A2C("MlpPolicy", "CartPole-v1", verbose=0, seed=0).learn(500)
    DQN("MlpPolicy", "CartPole-v1", verbose=0, learning_starts=50, buffer_size=500, seed=0).learn(300)
    print(f"PPO2 learns CartPole ({before:.0f} steps, then {after:.0f}); saved and loaded; A2C and DQN run")


main()
