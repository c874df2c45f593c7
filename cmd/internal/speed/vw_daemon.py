#!/usr/bin/env python3
"""Vowpal Wabbit's daemon on a port, as `vw --daemon` of the same library: for BenchmarkPredict."""
import sys

import vowpalwabbit

vowpalwabbit.Workspace(f"--daemon --foreground --port {sys.argv[1]} --num_children 1 -b 18 --loss_function logistic"
                       " --quiet --no_stdin").run_parser()
