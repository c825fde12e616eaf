package rigid
