"""Studies, one module each: STUDY, plan(), summarise(). See ecfit_studies.survey.study."""
