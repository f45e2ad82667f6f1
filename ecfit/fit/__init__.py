"""From a budget to a configuration: what there is to try, what is worth measuring, the answer."""
