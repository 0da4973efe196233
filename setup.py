"""The one part of the build that needs code: an optional compiled module.

`unlike._native` is built when its source is there and a C compiler works. Without a compiler the
installation goes on, and the pure Python twin answers instead.
"""

from pathlib import Path

from setuptools import Extension, setup

NATIVE = Path("native")
sources = sorted(str(path) for path in NATIVE.glob("*.c"))

setup(
    ext_modules=[
        Extension(
            "unlike._native",
            sources=sources,
            depends=sorted(str(path) for path in NATIVE.glob("*.h")),
            extra_compile_args=["-O3", "-fvisibility=hidden"],
            optional=True,  # a failed compilation is a warning, not an error
        )
    ]
    if sources
    else []
)
