"""The assembly routines as tests call them: banners, operands, edges, mutants."""
