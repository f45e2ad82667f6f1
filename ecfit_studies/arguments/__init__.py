"""The options of the commands of studies."""
