"""The operators in the words of others: one package per vendor, loaded on first use.

Each speaks the vendor's parameter names, checks what the vendor checks in the same
order, and raises the vendor's errors.  None imports the vendor's framework.
"""
