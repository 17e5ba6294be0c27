"""Options that are given once: of two values, neither is silently dropped."""

from __future__ import annotations

from copy import copy

import click

__all__ = ["OnceCommand", "check_once"]


class OnceCommand(click.Command):
    """A click command that refuses an option given twice."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, then look for what it dropped."""
        words = list(args)
        left = super().parse_args(ctx, args)
        check_once(self, ctx, words)
        return left


def check_once(command: click.Command, ctx: click.Context, args: list[str]) -> None:
    """Refuse options with a value that stand in `args` more than once.

    Flags, and options that are made to be given again, may.

    Raises
    ------
    UsageError
        An option is given twice.
    """
    once = {p.name: p for p in command.get_params(ctx) if _is_single(p)}
    twin = click.Command(command.name, params=[_again(p) for p in command.params])
    found, _, _ = twin.make_parser(ctx).parse_args(list(args))
    for name, p in once.items():
        values = found.get(str(name)) or []
        if len(values) > 1:
            told = " and ".join([f"'{value}'" for value in values])
            raise click.UsageError(
                f"{max(p.opts, key=len)} is given {_times(len(values))}, as {told}; "
                "give it once.",
                ctx,
            )


def _is_single(p: click.Parameter) -> bool:
    return isinstance(p, click.Option) and not (p.is_flag or p.multiple or p.count)


def _again(p: click.Parameter) -> click.Parameter:
    """The same parameter, which keeps every value where it takes one."""
    kept = copy(p)
    if _is_single(p):
        kept.multiple = True
    return kept


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"
