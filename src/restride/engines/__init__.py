"""What runs a plan over buffers: it knows plans and bytes, and no operator."""
