"""Studies, one module each: STUDY, plan(), summarise(). See ecfit.studies.study."""
