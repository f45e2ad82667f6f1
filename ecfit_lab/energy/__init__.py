"""The energy of tasks in a measured trace of current or voltage, and how long a battery lasts."""
