"""The page: records, profiles and published figures as one HTML file to look at."""
