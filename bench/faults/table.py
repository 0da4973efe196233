"""Faults, one readable row each: a name, a few lines of code, and what must be seen of them.

The lines are the body of a method `odd` of a small class (`driver.py`), and are reached in one of its thirteen states.
What must be seen:

    fine           the call returns: nothing is reported
    raises NAME    an exception of this type is reported
    ends           the call is reported as one that ended or blocked its process
    told           whether and how it is reported depends on the machine: how far it gets, when a thread wakes up

Whatever is seen, the other twelve states are found, nothing is left behind, and the process that asked is as before.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True, slots=True)
class Fault:
    """A row: what the method does, and what must be seen of it."""

    name: str
    code: str
    seen: str
    before: str = ""  # lines of the module before the class


def read_table(text: str, seen: str) -> list[Fault]:
    """Return the rows of a text: `name: code` on one line, or `name:` and indented lines.

    "leave: os._exit(3)"  ->  [Fault("leave", "os._exit(3)", "ends")]
    """
    rows: list[Fault] = []
    for line in dedent(text).strip().splitlines():
        if not line.startswith(" "):
            name, _, code = line.partition(":")
            rows.append(Fault(name.strip(), code.strip(), seen))
        else:
            last = rows[-1]
            rows[-1] = Fault(last.name, f"{last.code}\n{line[4:]}".strip("\n"), seen)
    return rows


REPLACES = """
    replace len: builtins.len = lambda *_: 0
    replace isinstance: builtins.isinstance = lambda *_: True
    replace open: builtins.open = None
    replace import: builtins.__import__ = lambda *_, **__: None
    replace print: builtins.print = None
    replace range: builtins.range = None
    replace type: builtins.type = str
    replace tuple: builtins.tuple = list
    replace zip: builtins.zip = lambda *_, **__: []
    replace getattr: builtins.getattr = lambda *_: 7
    replace id: builtins.id = lambda _: 1
    replace BaseException: builtins.BaseException = ValueError
    replace Exception: builtins.Exception = KeyError
    replace repr: builtins.repr = lambda _: 1 / 0
    replace hash: builtins.hash = None
    replace sorted: builtins.sorted = reversed
    replace build_class: builtins.__build_class__ = None
    replace os.write: os.write = lambda *_: 0
    replace os.read: os.read = lambda *_: b""
    replace os.fstat: os.fstat = None
    replace os.getpid: os.getpid = lambda: 1
    replace os.kill: os.kill = None
    replace os._exit: os._exit = lambda *_: None
    replace os.fork: os.fork = None
    replace os.path.samestat: os.path.samestat = lambda *_: False
    replace pickle.dumps: pickle.dumps = lambda *_, **__: b"nonsense"
    replace pickle.Pickler: pickle.Pickler = None
    replace json.dumps: json.dumps = lambda *_, **__: "{"
    replace json encoder: json.JSONEncoder.encode = lambda *_: "nonsense"
    replace json.loads: json.loads = None
    replace time.monotonic: time.monotonic = lambda: -1.0
    replace time.time: time.time = None
    replace time.sleep: time.sleep = None
    replace threading.active_count: threading.active_count = None
    replace signal.signal: signal.signal = None
    replace struct.Struct: struct.Struct = None
    replace zlib.crc32: zlib.crc32 = lambda *_: 0
    replace gc.collect: gc.collect = None
    replace copy.deepcopy: copy.deepcopy = None
    replace copyreg: copyreg.dispatch_table.clear(); copyreg._reconstructor = None
    replace re.compile: re.compile = None
    replace itertools.count: itertools.count = None
    replace functools.partial: functools.partial = None
    replace weakref.ref: weakref.ref = None
    replace inspect.signature: inspect.signature = None
    replace types.FunctionType: types.FunctionType = None
    replace enum: enum.Enum = enum.EnumMeta = None
    clear builtins: vars(builtins).clear()
    delete one builtin: del builtins.dict
    clear sys.modules: sys.modules.clear()
    remove unlike from sys.modules:
        for name in [each for each in sys.modules if each.startswith("unlike")]:
            del sys.modules[name]
    nonsense in sys.modules: sys.modules["os"] = sys.modules["json"] = 7
    clear sys.path: sys.path.clear(); sys.path_hooks.clear(); sys.meta_path.clear()
    replace sys.exc_info: sys.exc_info = None
    replace sys.getrecursionlimit: sys.getrecursionlimit = None
    replace sys.excepthook: sys.excepthook = sys.unraisablehook = lambda *_: os._exit(9)
    clear the module: vars(sys.modules[__name__]).clear()
"""
STREAMS = """
    write to every descriptor:
        for number in range(3, 1024):
            with contextlib.suppress(OSError):
                os.write(number, b"nonsense")
    close every descriptor: os.closerange(3, 4096)
    close the first descriptors: os.closerange(0, 64)
    reopen every descriptor:
        os.closerange(3, 4096)
        for _ in range(300):
            os.open("/dev/null", os.O_RDWR)
    put a file over every descriptor:
        other = os.open("/dev/null", os.O_RDWR)
        for number in range(3, 1024):
            if number != other:
                os.dup2(other, number)
    write a huge length:
        for number in range(3, 1024):
            with contextlib.suppress(OSError):
                if stat.S_ISFIFO(os.fstat(number).st_mode):
                    os.write(number, b"unl1" + b"\\xff" * 9)
    write a frame that looks right:
        payload = b'{"name":"os:_exit"}'
        frame = struct.pack("<4sIcI", b"unl1", len(payload), b"d", zlib.crc32(payload)) + payload
        for number in range(3, 1024):
            with contextlib.suppress(OSError):
                if stat.S_ISFIFO(os.fstat(number).st_mode):
                    os.write(number, frame)
    write half a frame:
        for number in range(3, 1024):
            with contextlib.suppress(OSError):
                if stat.S_ISFIFO(os.fstat(number).st_mode):
                    os.write(number, b"unl1\\x10")
    empty every file:
        for number in range(3, 1024):
            with contextlib.suppress(OSError):
                os.ftruncate(number, 0)
"""
QUIET = """
    change the directory: os.chdir("/")
    remove the directory: os.rmdir(os.getcwd())
    write files: [open(name, "w").close() for name in ("a", "b", "c")]
    write deep files: os.makedirs("x/y/z"); open("x/y/z/w", "w").close()
    change the environment: os.environ["HOME"] = "nowhere"; os.environ.pop("PATH", None)
    clear the environment: os.environ.clear()
    change the locale: locale.setlocale(locale.LC_ALL, "C")
    change the mask: os.umask(0o777)
    lower the limit of files: resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    lower the limit of processes: resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    lower the limit of file sizes: resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    handle signals: signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN)
    handle SIGUSR1: signal.signal(signal.SIGUSR1, lambda *_: os._exit(4))
    handle SIGCHLD: signal.signal(signal.SIGCHLD, lambda *_: os._exit(4))
    block signals: signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
    start a timer: signal.setitimer(signal.ITIMER_REAL, 0.05)
    start a timer with a handler:
        signal.signal(signal.SIGALRM, lambda *_: 1 / 0)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
    start a virtual timer: signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
    start a profiling timer: signal.setitimer(signal.ITIMER_PROF, 0.05)
    register at exit: atexit.register(os._exit, 5)
    start a thread: threading.Thread(target=time.sleep, args=(30,)).start()
    start a daemon thread: threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
    start a thread that works: threading.Thread(target=lambda: [each for each in range(10**9)], daemon=True).start()
    start a thread that ends: (each := threading.Thread(target=int)).start(); each.join()
    fork: os.fork()
    fork and stay:
        if os.fork() == 0:
            time.sleep(30)
    fork and leave:
        if (pid := os.fork()) == 0:
            os._exit(0)
        os.waitpid(pid, 0)
    start a program: subprocess.run(["true"])
    start a program that stays: subprocess.Popen(["sleep", "30"])
    start a program in a new session: subprocess.Popen(["sleep", "30"], start_new_session=True)
    start a program in a new group: subprocess.Popen(["sleep", "30"], process_group=0)
    start a program that holds all descriptors: subprocess.Popen(["sleep", "30"], start_new_session=True, close_fds=False)
    start a program twice removed: subprocess.run(["sh", "-c", "sleep 30 & sleep 30 &"], start_new_session=True)
    start a program that ignores signals: subprocess.Popen(["sh", "-c", "trap '' TERM INT HUP; sleep 30"], start_new_session=True)
    leave the group: os.setpgid(0, 0) if os.getpgrp() != os.getpid() else None
    print: print("a word")
    print to both: print("a word"); print("another", file=sys.stderr)
    print bytes: os.write(1, b"\\xff\\xfe"); os.write(2, b"\\x00")
    print 100 MB: print("x" * 100_000_000)
    print 100 MB by lines: [print("x" * 999) for _ in range(100_000)]
    close standard output: sys.stdout.close()
    close descriptor 1: os.close(1)
    remove standard output: del sys.stdout
    no standard output: sys.stdout = None
    odd standard output: sys.stdout = 7
    standard output that raises: sys.stdout = type("Odd", (), {"write": lambda *_: 1 / 0, "flush": lambda *_: 1 / 0})()
    standard output that exits: sys.stdout = type("Odd", (), {"write": lambda *_: 1, "flush": lambda *_: os._exit(6)})()
    standard output whose closed lies: sys.stdout = type("Odd", (), {"closed": property(lambda _: 1 / 0)})()
    trace that raises: sys.settrace(lambda *_: 1 / 0)
    trace of threads: threading.settrace(lambda *_: 1 / 0)
    audit hook: sys.addaudithook(lambda *_: None)
    garbage collector off: gc.disable(); gc.set_threshold(1)
    collector callback that raises: gc.callbacks.append(lambda *_: 1 / 0)
    recursion limit low: sys.setrecursionlimit(60)
    recursion limit high: sys.setrecursionlimit(10**6)
    switch interval: sys.setswitchinterval(10)
    integer digits: sys.set_int_max_str_digits(640)
    decimal context: decimal.getcontext().prec = 1
    warnings become errors: warnings.simplefilter("error")
    random seed: random.seed(1)
    del that raises: type("Odd", (), {"__del__": lambda _: 1 / 0})()
    del that raises later: self.__dict__.setdefault("_gone", None); del self._gone; type("Odd", (), {"__del__": lambda _: print(1 / 0)})()
    weak reference that raises: odd = Thing(); weakref.finalize(odd, lambda: 1 / 0); del odd
    priority: os.nice(5)
    import a module: import colorsys
    temporary file: tempfile.NamedTemporaryFile(delete=False)
    socket left open: socket.socket()
    event loop left open: asyncio.new_event_loop()
    logging handler: logging.basicConfig(force=True); logging.disable()
    faulthandler off: faulthandler.disable()
    unregister the trace signal: faulthandler.unregister(signal.SIGUSR1)
    exhaust descriptors: [os.open("/dev/null", os.O_RDONLY) for _ in range(200)]
    stop iteration: raise StopIteration
    unicode error that lies: raise UnicodeDecodeError("utf-8", b"x", 5, 99, "why")
    shared memory: multiprocessing.shared_memory.SharedMemory(create=True, size=64)
"""
LATER = """
    start a timer thread: threading.Timer(0.05, os._exit, (5,)).start()
"""
RAISES = """
    plain: raise ArithmeticError
    recursion: self._recurse()
    memory: [bytearray(2**24) for _ in range(10**6)]
    exit: sys.exit(3)
    exit with an object: sys.exit(object())
    generator exit: raise GeneratorExit
    read the keyboard: input()
    exception group: raise ExceptionGroup("several", [ValueError(1), KeyError(2)])
    base exception group: raise BaseExceptionGroup("several", [KeyboardInterrupt(), KeyError(2)])
    text that raises: raise odd_error({"__str__": lambda _: 1 / 0})
    text that exits: raise odd_error({"__str__": lambda _: sys.exit(3)})
    text that is no text: raise odd_error({"__str__": lambda _: 7})
    text that is huge: raise ArithmeticError("x" * 50_000_000)
    text with a surrogate: raise ArithmeticError("\\udc80")
    repr that raises: raise odd_error({"__repr__": lambda _: 1 / 0})(object())
    class that lies: raise odd_error({"__class__": int})
    class whose class raises: raise odd_error({"__class__": property(lambda _: 1 / 0)})
    name that is odd: raise type("", (ArithmeticError,), {"__module__": "elsewhere"})
    module that is odd: raise odd_error({"__module__": 7})
    args that raise: raise odd_error({"args": property(lambda _: 1 / 0)})
    traceback that raises: raise odd_error({"with_traceback": None, "__traceback__": property(lambda _: 1 / 0)})
    getattribute that raises: raise odd_error({"__getattribute__": lambda *_: 1 / 0})
    equality that raises: raise odd_error({"__eq__": lambda *_: 1 / 0, "__hash__": None})
    metaclass that lies: raise type("Meta", (type,), {"__instancecheck__": lambda *_: 1 / 0, "__subclasscheck__": lambda *_: 1 / 0})("Odd", (Exception,), {"__module__": "elsewhere"})
    metaclass whose mro lies: raise type("Meta", (type,), {"__getattribute__": lambda c, n: () if n == "__mro__" else type.__getattribute__(c, n)})("Odd", (Exception,), {"__module__": "elsewhere"})
    reduce that raises: raise odd_error({"__reduce_ex__": lambda *_: 1 / 0})
    exception that holds a lock: raise ArithmeticError(threading.Lock())
    exception that holds itself: error = ArithmeticError(); error.args = (error,); raise error
    long chain of causes:
        error = None
        for number in range(5000):
            new = ArithmeticError(number)
            new.__cause__, error = error, new
        raise error
    profile that raises: sys.setprofile(lambda *_: 1 / 0)
    long notes: error = ArithmeticError(); error.__notes__ = 7; raise error
    warning: raise UserWarning
"""
ENDS = """
    leave: os._exit(3)
    leave well: os._exit(0)
    abort: os.abort()
    crash: ctypes.string_at(0)
    crash by stack: ctypes.pythonapi.Py_FatalError(b"fatal")
    kill: os.kill(os.getpid(), signal.SIGKILL)
    terminate: os.kill(os.getpid(), signal.SIGTERM)
    interrupt: os.kill(os.getpid(), signal.SIGINT)
    raise an interrupt: raise KeyboardInterrupt
    user signal: os.kill(os.getpid(), signal.SIGUSR2)
    real-time signal: os.kill(os.getpid(), signal.SIGRTMIN + 5)
    kill the group: os.killpg(os.getpgrp(), signal.SIGKILL) if os.getpgrp() == os.getpid() else os._exit(3)
    hang:
        while True:
            pass
    hang in C: time.sleep(1000)
    hang for a lock:
        lock = threading.Lock()
        lock.acquire(), lock.acquire()
    hang for a pipe: os.read(os.pipe()[0], 1)
    hang and ignore signals:
        signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
        while True:
            pass
    hang in an except:
        while True:
            try:
                time.sleep(1000)
            except BaseException:
                pass
    hang in a generator: all(itertools.count(1))
    hang in a regex: re.match("(a*)*b", "a" * 40)
    stop the process: os.kill(os.getpid(), signal.SIGSTOP)
    become another program: os.execvp("sleep", ["sleep", "30"])
    become another program that ends: os.execvp("true", ["true"])
    crash a thread: threading.Thread(target=ctypes.string_at, args=(0,)).start() or time.sleep(30)
    wait for a child: os.waitpid(os.fork() or time.sleep(30) or os.getpid(), 0)
"""
OBSERVED = """
    hold a signalling NaN: self.kept = decimal.Decimal("sNaN")
    hold a NaN: self.kept = float("nan")
    hold a match: self.kept = re.match("a", "a")
    hold a memoryview: self.kept = memoryview(b"abc")
    hold a mappingproxy: self.kept = types.MappingProxyType({1: 2})
    hold dict items: self.kept = {1: 2}.items()
    hold a generator: self.kept = (each for each in range(3))
    hold a context: self.kept = contextvars.copy_context()
    hold a ctypes structure: self.kept = type("Point", (ctypes.Structure,), {"_fields_": [("x", ctypes.c_int)]})()
    hold a lock: self.kept = threading.Lock()
    hold a thread: self.kept = threading.Thread()
    hold a file: self.kept = open("/dev/null")
    hold a socket: self.kept = socket.socket()
    hold a module: self.kept = os
    hold a frame: self.kept = sys._getframe()
    hold a traceback: self.kept = [sys.exc_info()]
    hold a class: self.kept = type("Odd", (), {})
    hold a function: self.kept = lambda: 1
    hold a partial: self.kept = functools.partial(print, 1)
    hold a property: self.kept = property(len)
    hold a coroutine:
        async def work():
            pass
        self.kept = work()
        self.kept.close()
    hold an iterator: self.kept = iter([1, 2, 3])
    hold a deep list:
        self.kept = []
        for _ in range(100_000):
            self.kept = [self.kept]
    hold a deep iterator:
        self.kept = iter(())
        for _ in range(100_000):
            self.kept = itertools.chain(self.kept)
    hold itself: self.kept = [self, {1: self}]
    hold a large list: self.kept = list(range(10**6))
    hold a large text: self.kept = "x" * 10**7
    hold a huge number: self.kept = 1 << 10**6
    hold a surrogate: self.kept = "\\udc80"
    hold an odd dict: self.kept = type("Odd", (dict,), {"__iter__": lambda _: 1 / 0, "items": None})({1: 2})
    hold an odd list: self.kept = type("Odd", (list,), {"__len__": lambda _: 1 / 0, "__iter__": lambda _: os._exit(3)})([1])
    hold an odd int: self.kept = type("Odd", (int,), {"__eq__": lambda *_: 1 / 0, "__hash__": lambda _: 1 / 0})(3)
    hold an odd object: self.kept = type("Odd", (), {"__eq__": lambda *_: 1 / 0, "__hash__": None, "__repr__": lambda _: 1 / 0})()
    hold an object with odd attributes: self.kept = type("Odd", (), {"__getattribute__": lambda *_: 1 / 0})()
    hold an object whose class lies: self.kept = type("Odd", (), {"__class__": property(lambda _: int)})()
    hold an object with an odd dict: self.kept = type("Odd", (), {"__dict__": property(lambda _: 1 / 0)})()
    hold an object with an odd state: self.kept = type("Odd", (), {"__getstate__": lambda _: 1 / 0, "__reduce_ex__": lambda *_: 1 / 0})()
    hold a value that differs each time: self.kept = type("Odd", (), {"__reduce_ex__": lambda *_: (list, ([next(COUNT)],))})()
    hold a counter: self.kept = next(COUNT)
    hold the time: self.kept = time.time_ns()
    hold a random number: self.kept = random.random()
    hold an identity: self.kept = id(object())
"""

IMPORTS = """
import ast, asyncio, atexit, builtins, contextlib, contextvars, copy, copyreg, ctypes, decimal, enum, faulthandler, functools, gc
import inspect, io, itertools, json, locale, logging, multiprocessing.shared_memory, os, pickle, random, re, resource, signal, socket
import stat, struct, subprocess, sys, tempfile, threading, time, types, warnings, weakref, zlib
"""

FAULTS: dict[str, Fault] = {
    each.name: each
    for text, seen in (
        (REPLACES, "fine"),
        (STREAMS, "told"),
        (QUIET, "fine"),
        (LATER, "told"),
        (RAISES, "raises"),
        (ENDS, "ends"),
        (OBSERVED, "held"),
    )
    for each in read_table(text, seen)
}
