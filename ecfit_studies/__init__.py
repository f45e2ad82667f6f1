"""Tables of papers measured again, questions answered by a sweep, and pages of both."""
