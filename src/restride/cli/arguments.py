"""A command line of operators put into the one order click reads.

``run in.npy pad 3 slice -1 --json -o out.npy`` has options of the whole command after
operators, and arguments that look like options.  `arrange` knows how many values
each operator takes, so it can tell ``-1`` the index from ``-o`` the option.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import click

from restride.cli.meant import meant
from restride.cli.once import OnceCommand, check_once

__all__ = ["ChainGroup", "OptionalInputGroup", "OrderedGroup", "arrange"]


class OrderedGroup(click.Group):
    """A click group that lists its commands in the order they were added."""

    command_class = OnceCommand

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands."""
        return list(self.commands)


class ChainGroup(OrderedGroup):
    """A click group whose subcommands are operators applied in the order written."""

    input_optional = False

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Arrange, then parse as click does."""
        if not args:
            args = ["--help"]
        words = arrange(self, ctx, args)
        left = super().parse_args(ctx, list(words))
        check_once(self, ctx, words)
        return left

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The usage line as people write it."""
        given = "[INPUT]" if self.input_optional else "INPUT"
        end = "" if self.input_optional else " -o OUTPUT"
        formatter.write_usage(ctx.command_path, f"{given} [OPERATOR ...]...{end}")


class OptionalInputGroup(ChainGroup):
    """The same, where ``--shape`` may stand for an input."""

    input_optional = True


def arrange(group: ChainGroup, ctx: click.Context, args: list[str]) -> list[str]:
    """The same words as: own options, ``--``, INPUT, then each operator's words."""
    return list(_Arranger(group, ctx, args).run())


class _Words:
    """What was given to the whole command or to one operator."""

    def __init__(self, command: click.Command, ctx: click.Context) -> None:
        self.command = command
        self.takes: dict[str, bool] = {}
        for p in command.get_params(ctx):
            if isinstance(p, click.Option):
                self.takes.update(dict.fromkeys(p.opts, not p.is_flag))
        self.slots = [
            str(p.metavar or p.name)
            for p in command.get_params(ctx)
            if isinstance(p, click.Argument)
        ]
        self.options: list[str] = []
        self.given: list[str] = []

    @property
    def wants(self) -> bool:
        """True while a positional argument is still missing."""
        return len(self.given) < len(self.slots)

    def words(self) -> Iterator[str]:
        yield from self.options
        if self.slots:
            yield "--"
            yield from self.given


class _Arranger:
    def __init__(self, group: ChainGroup, ctx: click.Context, args: list[str]) -> None:
        self.group, self.ctx = group, ctx
        self.left = deque(args)
        self.whole = _Words(group, ctx)
        self.steps: list[_Words] = []

    def run(self) -> Iterator[str]:
        while self.left:
            self._take(self.left.popleft())
        self._finish()
        yield from self.whole.words()
        for step in self.steps:
            yield str(step.command.name)
            yield from step.words()

    def _take(self, token: str) -> None:
        here = self.steps[-1] if self.steps else self.whole
        if token == "--" and self.left:
            self._positional(self.left.popleft(), here)
        elif not (self._option(token, here) or self._option(token, self.whole)):
            self._positional(token, here)

    def _option(self, token: str, words: _Words) -> bool:
        """Take an option, with its value, if `words` knows it."""
        name, equals, _ = token.partition("=")
        if name not in words.takes:
            return False
        if equals or not words.takes[name]:
            words.options.append(token)
        elif not self.left or self._is_option(self.left[0], words):
            raise click.UsageError(f"{name} needs a value; none was given.")
        else:
            words.options += [name, self.left.popleft()]
        return True

    def _is_option(self, token: str, words: _Words) -> bool:
        """True for the name of an option, where a value should be; -1 is none."""
        name = token.partition("=")[0]
        return name in words.takes or name in self.whole.takes

    def _positional(self, token: str, here: _Words) -> None:
        is_operator = token in self.group.commands
        if not self.steps and here.wants:
            if is_operator and self._needs_no_input(here):
                here.given.append("")
                self._operator(token)
            else:
                self._slot(token, here, is_operator)
        elif here.wants:
            self._slot(token, here, is_operator)
        else:
            self._operator(token)

    def _needs_no_input(self, here: _Words) -> bool:
        """True where a shape or a call for help stands for the input."""
        helped = any(t in ("--help", "-h") for t in self.left)
        return helped or self._has_shape(here)

    def _has_shape(self, here: _Words) -> bool:
        """True where a shape may stand for the input, and does."""
        told = any(o.partition("=")[0] == "--shape" for o in here.options)
        return told and self.group.input_optional

    def _slot(self, token: str, here: _Words, is_operator: bool) -> None:
        name, slot = here.command.name, here.slots[len(here.given)]
        if is_operator:
            optional = here is self.whole and self.group.input_optional
            raise click.UsageError(
                f"{name} needs {slot}{' or --shape' if optional else ''} before the "
                f"operator '{token}'; for a file of that name write ./{token}."
            )
        if token.startswith("--") and len(token) > 2:
            raise self._unknown(token, here)
        here.given.append(token)

    def _operator(self, token: str) -> None:
        if token.startswith("-"):
            raise self._unknown(token, self.steps[-1] if self.steps else self.whole)
        if token not in self.group.commands:
            raise click.UsageError(
                f"'{token}' is no operator; the operators are "
                f"{', '.join(self.group.commands)}.{meant(token)}"
                f"{self._taken_as_input()}"
            )
        self.steps.append(_Words(self.group.commands[token], self.ctx))

    def _taken_as_input(self) -> str:
        """What a mistyped first operator became, where none but it is the input."""
        here = self.whole
        if self.steps or not here.given or not self._has_shape(here):
            return ""
        return f" '{here.given[-1]}' before it was taken for INPUT, beside --shape."

    def _unknown(self, token: str, here: _Words) -> click.UsageError:
        name = here.command.name
        known = [*here.takes, *(self.whole.takes if self.steps else ())]
        return click.UsageError(
            f"'{token}' after {name} is not understood; its options are "
            f"{', '.join(k for k in known if k not in ('-h', '--help'))}."
        )

    def _finish(self) -> None:
        """Say what is missing, unless help was asked for."""
        words = [self.whole, *self.steps]
        if any(h in w.options for w in words for h in ("--help", "-h")):
            for w in words:
                w.given += [""] * (len(w.slots) - len(w.given))
            return
        if self.group.input_optional and self.whole.wants:
            self.whole.given.append("")
        for w in words:
            if w.wants:
                slot, of = w.slots[len(w.given)], str(self.group.name)
                named = of if w is self.whole else f"{of} {w.command.name}"
                raise click.UsageError(
                    f"{w.command.name} needs {slot}; see 'restride {named} --help'."
                )
