"""The simulator node: a thread that keeps a simulation at its pace, and what asks things of it."""
