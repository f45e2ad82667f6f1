"""An image run: inputs, right results, and the simulator, this machine or a board to run it."""
