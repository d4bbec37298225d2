"""Arrays in, arrays out: the loops that everything else stands on."""
