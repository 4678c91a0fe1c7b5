"""What the performance page is made from: `python -m benchmarks` prints the figures; `--quick`
proves that they run."""
