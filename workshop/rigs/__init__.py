"""Long runs of the simulator: taint in pairs, RTL, noise."""
