"""Studies, one module each: STUDY, plan(), summarise(). See ecfit.survey.study."""
