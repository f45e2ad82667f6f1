"""From a budget to a configuration: candidates, the choice of those to measure, the answer."""
