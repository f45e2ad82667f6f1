"""What studies share: plans, records, fronts, and what they cover of the published figures."""
