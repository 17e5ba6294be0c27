"""The model check: every node that moves elements, and a target's answer."""
