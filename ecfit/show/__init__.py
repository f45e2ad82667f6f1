"""Records as texts: tables, csv, json, Markdown, flame graphs; progress on a terminal."""
