/* Two files of mupq/pqm4 include it and use nothing of it. */
