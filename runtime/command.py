"""What every command shares: how it ends, what it prints on, and that a stop stops everything.

An end has one of these codes: 0 done; 1 not done, with one message; 2 the command line itself is wrong; 128 and the
number of the signal when one stopped it (130 for Ctrl-C, 143 for a polite kill); 141 when nobody reads on, as with
``| head -1``.

The module imports little, so that a stop is caught from the first moment on.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any, NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What stops a command in good order."""

AGAIN = 2.0
"""Seconds after which a second signal is a second wish; the same one often comes twice, from a terminal or a shell."""

GRACE = 15.0
"""Seconds that clearing up may take after a signal."""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Signs that a terminal obeys instead of showing them, and halves of a sign; blank, tab and line end are none."""


class Stopped(KeyboardInterrupt):
    """A signal has come: what is open is closed and cleared up on the way out."""


class _State:
    """What has come in this process."""

    signal: int | None = None
    since = 0.0
    raised: weakref.ref[Stopped] | None = None
    is_over = False
    children: set[subprocess.Popen[Any]] = set()  # noqa: RUF012  (one per process)


def visible(text: object, lines: bool = False) -> str:
    r"""Return a text in which no sign commands a terminal: each is shown by its number.

    The numbers are written as JSON writes them, so that JSON stays what it is.

    Args:
        text: anything; its string is taken.
        lines: tabs and line ends stay as they are.

    >>> visible("a\x1b[31mb\udcff\n")
    'a\\u001b[31mb\\udcff\\u000a'
    >>> visible("λόγος\n", lines=True)
    'λόγος\n'
    """
    shown = CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", str(text))
    return shown if lines else shown.replace("\t", "\\u0009").replace("\n", "\\u000a")


def short(text: object, most: int = 160) -> str:
    """Return a text for the inside of a message: visible, and not longer than so many signs.

    >>> short("x" * 1000).endswith("xxx...")
    True
    """
    shown = visible(text)
    return shown if len(shown) <= most else f"{shown[:most]}..."


class Printed(io.TextIOWrapper):
    """Standard output or error: control signs are shown, a letter that the terminal lacks is shown by its number.

    A reader that is gone ends the command in silence, a disk that is full with one sentence.
    """

    def __init__(self, descriptor: int, encoding: str) -> None:
        stream = open(descriptor, "wb", closefd=False)  # noqa: SIM115  (open to the end)
        super().__init__(stream, encoding=encoding, errors="backslashreplace", newline="\n", write_through=False)
        self.descriptor = descriptor
        self.is_lost = False
        self.is_drawn = False
        # A line at a time for a person, and for errors.
        self.by_line = descriptor == 2 or self.isatty()

    def write(self, text: str, /) -> int:
        """Write a text with its control signs shown, in the place of a line that is drawn."""
        if not isinstance(text, str):
            raise TypeError(f"expected text, found {type(text).__name__}")
        before, self.is_drawn = ("\r\x1b[K" if self.is_drawn else ""), False
        return self._write(before + visible(text, lines=True))

    def draw(self, line: str) -> None:
        """Draw one line at the end of a terminal, until the next one is drawn or anything is printed."""
        self._write("\r" + visible(line)[: shutil.get_terminal_size().columns - 1] + "\x1b[K")
        self.is_drawn = True

    def keep(self) -> None:
        """Leave the line that is drawn where it is."""
        if self.is_drawn:
            self.is_drawn = False
            self._write("\n")

    def _write(self, text: str) -> int:
        if not self.is_lost:
            with self.told():
                super().write(text)
                if self.by_line:
                    super().flush()
        return len(text)

    def flush(self) -> None:
        """Hand on what was written."""
        if not self.is_lost:
            with self.told():
                super().flush()

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """End the command when its output cannot go anywhere."""
        try:
            yield
        except BrokenPipeError:
            self.lose()
            raise SystemExit(128 + signal.SIGPIPE) from None
        except OSError as error:
            self.lose()
            if self.descriptor == 1:
                say_error(f"cannot write what was asked for to the standard output: {error.strerror}")
            raise SystemExit(1) from None

    def lose(self) -> None:
        """Write nothing any more: what is still held would fail again at the end of the process."""
        self.is_lost = True
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.descriptor)
        os.close(nowhere)


def draw(line: str | None) -> None:
    """Draw a line of progress on the error stream, where a person is looking; None leaves the last one there."""
    if isinstance(sys.stderr, Printed) and sys.stderr.isatty():
        if line is None:
            sys.stderr.keep()
        else:
            sys.stderr.draw(line)


def say_error(message: object) -> None:
    """Print one message on the error stream."""
    with contextlib.suppress(SystemExit, OSError):
        print(f"error: {visible(message, lines=True)}", file=sys.stderr, flush=True)


def open_streams() -> None:
    """Put streams in place that every text can be printed on.

    To a file or a pipe goes UTF-8, to a terminal what it says it can show. PYTHONIOENCODING has the last word.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            # Closed by the caller: no file that is opened later may take its number. Writing here is an error.
            os.open(os.devnull, os.O_RDONLY if descriptor < 2 else os.O_WRONLY)
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        known = getattr(sys, name)
        encoding = "utf-8"
        if known is not None:
            with contextlib.suppress(OSError, ValueError):
                known.flush()
            if "PYTHONIOENCODING" in os.environ or os.isatty(descriptor):
                encoding = known.encoding
        setattr(sys, name, Printed(descriptor, encoding))


def on_signal(number: int, frame: FrameType | None) -> None:
    """Stop: the processes at work first, then this one, which clears up on its way out.

    Raises:
        Stopped: at the first signal. A later one ends at once.
    """
    now = time.monotonic()
    if _State.signal is None:
        _State.signal, _State.since = number, now
        end_children(daemons=False)
        threading.Thread(target=insist, args=[number], daemon=True).start()
    elif not is_swallowed():
        if now - _State.since > AGAIN:
            end_at_once(number)
        return
    raise remembered(Stopped())


def remembered(stop: Stopped) -> Stopped:
    """Remember an exception without keeping it; no name in a frame that is on its way may keep it either."""
    _State.raised = weakref.ref(stop)
    return stop


def is_swallowed() -> bool:
    """Whether the exception of a signal is gone without having come to the end of the command.

    Some libraries import others, or call back, under an `except` that takes everything.
    """
    return not _State.is_over and _State.raised is not None and _State.raised() is None


def insist(number: int) -> None:
    """See to it that a signal stops the command: raise again what was swallowed, and end it when the time is over."""
    while time.monotonic() - _State.since < GRACE:
        time.sleep(1)
        if is_swallowed():
            signal.pthread_kill(threading.main_thread().ident or 0, number)
    end_at_once(number)


def end_children(daemons: bool = True) -> None:
    """End the processes that this one has started.

    Args:
        daemons: also workers of a `multiprocessing.Pool`, which ends them itself on the way out, and waits for ever
            for a lock that one of them held when it was ended by somebody else.
    """
    if "multiprocessing" in sys.modules:
        import multiprocessing

        for worker in multiprocessing.active_children():
            if daemons or not worker.daemon:
                with contextlib.suppress(Exception):
                    worker.terminate()
    for child in list(_State.children):
        with contextlib.suppress(OSError):
            child.terminate()


def end_at_once(number: int) -> NoReturn:
    """End without waiting for what is still being cleared up."""
    end_children()
    say_stopped(number)
    os._exit(128 + number)


def say_stopped(number: int, notes: Sequence[str] = ()) -> None:
    """Say in one sentence that a signal has stopped the command, and what is known about what it leaves."""
    with contextlib.suppress(SystemExit, OSError):
        name = "Ctrl-C (SIGINT)" if number == signal.SIGINT else signal.Signals(number).name
        left = " ".join(notes) or "nothing is left half done, run the command again to go on"
        print(f"stopped by {name}: {visible(left)}", file=sys.stderr)


def notes_of(error: BaseException | None) -> list[str]:
    """Return what was noted about an exception, or about those that it came from, on the way out."""
    notes: list[str] = []
    while error is not None and not notes:
        notes = list(getattr(error, "__notes__", []))
        error = error.__cause__ or error.__context__
    return notes


def is_stopped() -> bool:
    """Whether a signal has come: for threads, to which no exception comes."""
    return _State.signal is not None


@contextlib.contextmanager
def apart() -> Iterator[None]:
    """Start processes that leave Ctrl-C to this one, instead of each telling of it in its own words.

    A terminal sends the signal to all of them. What is blocked here is blocked in a process that begins meanwhile, and
    is delivered here afterwards.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def starting_workers() -> Iterator[None]:
    """Start workers of `multiprocessing` apart."""
    from multiprocessing import resource_tracker

    # It is started with the first worker, and unblocks the signals after it.
    resource_tracker.ensure_running()
    with apart():
        yield


@contextlib.contextmanager
def child(arguments: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a process apart that ends with this one, when a signal stops it.

    Args:
        arguments: its command line.
        options: those of `subprocess.Popen`.
    """
    with apart():
        process = subprocess.Popen(arguments, **options)
    _State.children.add(process)
    try:
        if is_stopped():
            process.terminate()
        yield process
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        _State.children.discard(process)


def run_child(arguments: Sequence[str], **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run a process to its end as `child` starts it, and return it with what it printed."""
    with child(arguments, **options) as process, process:
        output, errors = process.communicate()
    return subprocess.CompletedProcess(arguments, process.returncode, output, errors)


def run(main: Callable[[], object]) -> NoReturn:
    """Run a command to its end and leave the process with the code that says what happened.

    Args:
        main: the command; heavy imports belong inside.
    """
    for number in SIGNALS:
        # A signal that the caller ignores (nohup, a job in the background) stays ignored.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, on_signal)
    code = 0
    notes: list[str] = []
    try:
        try:
            open_streams()
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
            if isinstance(end.code, str):
                say_error(end.code)
            notes = notes_of(end)
        except BaseException as error:
            if _State.signal is None:
                raise
            notes = notes_of(error)
        _State.is_over = True
        with contextlib.suppress(Stopped):
            code = flushed(code)
    except Stopped:
        pass
    except Exception:
        code = 1
        tell_fault()
    if _State.signal is not None:
        code = 128 + _State.signal
        say_stopped(_State.signal, notes)
    leave(code)


def flushed(code: int) -> int:
    """Return the code after all that was printed is out."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except SystemExit as end:
            code = code or int(end.code or 0)
    return code


def tell_fault() -> None:
    """Print an exception that nobody expected, as it is of use to those who mend it."""
    import traceback

    with contextlib.suppress(SystemExit, OSError):
        traceback.print_exc()
        say_error("this is a fault of the program: please report it with the lines above")


def leave(code: int) -> NoReturn:
    """Leave the process; after a signal without waiting for threads that are still at work."""
    if _State.signal is not None:
        end_children()
        clear_semaphores()
        os._exit(code)
    sys.exit(code)


def clear_semaphores() -> None:
    """Give back the semaphores of `multiprocessing`, which are told of as lost when a process leaves with them."""
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        with contextlib.suppress(Exception):
            util._run_finalizers()
