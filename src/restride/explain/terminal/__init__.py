"""What a terminal can show, and grids of cells drawn for it."""
