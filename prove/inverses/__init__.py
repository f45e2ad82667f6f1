"""Powers and inversions, in assembly and in C: their code on elements, limbs and divsteps."""
