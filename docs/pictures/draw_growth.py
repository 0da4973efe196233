"""Draw how field-exhaustive suites grow: `python docs/pictures/draw_growth.py` writes growth.svg beside this file.

Seconds and structures are read from the table in docs/fields.md, which `python -m bench fields` prints.
"""

import math
import re
from pathlib import Path

HERE = Path(__file__).parent
COLORS = {
    "sorted chain": "#7a5195",
    "binary search tree": "#003f5c",
    "red-black tree": "#bc3c4c",
    "binomial heap": "#e08a00",
}
LEFT, TOP, WIDTH, HEIGHT, GAP = 60, 40, 340, 260, 110
ROW = re.compile(r"^\| ([a-z -]+) \| (\d+) \| ([\d.,–-]+) \| ([\d.,–-]+) \| ([\d.,]+) \| ([\d.,]+) \|", re.MULTILINE)


def rows():
    """Yield class, scope, and the seconds and structures of the paper and ours; nothing where the paper has none."""
    for name, scope, *numbers in ROW.findall((HERE.parent / "fields.md").read_text()):
        yield name, int(scope), [None if each in "–-" else float(each.replace(",", "")) for each in numbers]


def chart(x, title, pick, ticks):
    """Yield a chart with both axes by powers: ours in full lines, the paper's in dots."""
    low, high = math.log10(ticks[0]), math.log10(ticks[-1])

    def place(scope, value):
        across = (math.log(scope) - math.log(10)) / (math.log(64) - math.log(10))
        up = (math.log10(max(value, ticks[0])) - low) / (high - low)
        return f"{x + across * WIDTH:.0f},{TOP + HEIGHT - up * HEIGHT:.0f}"

    yield f'<text x="{x}" y="{TOP - 16}" class="title">{title}</text>'
    for tick in ticks:
        level = place(10, tick).partition(",")[2]
        yield f'<line x1="{x}" y1="{level}" x2="{x + WIDTH}" y2="{level}" class="grid"/>'
        yield f'<text x="{x - 8}" y="{int(level) + 4}" class="tick">{tick:g}</text>'
    for scope in (10, 20, 30, 40, 64):
        across = place(scope, ticks[0]).partition(",")[0]
        yield f'<text x="{across}" y="{TOP + HEIGHT + 18}" class="scope">{scope}</text>'
    for name, color in COLORS.items():
        for which, style in ((pick[0], 'stroke-dasharray="3 4"'), (pick[1], "")):
            found = [(scope, numbers[which]) for each, scope, numbers in rows() if each == name]
            points = " ".join(place(scope, value) for scope, value in found if value is not None)
            yield f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2" {style}/>'


def drawing():
    """Return the whole picture."""
    style = (
        "text{font:13px sans-serif;fill:#333}.title{font-weight:bold}.tick{text-anchor:end}"
        ".scope{text-anchor:middle}.grid{stroke:#ddd}"
    )
    second = LEFT + WIDTH + GAP
    parts = [
        *chart(LEFT, "Seconds, by scope", (0, 2), (0.1, 1, 10, 100, 1000, 10000)),
        *chart(second, "Structures, by scope", (1, 3), (10, 100, 1000, 10000)),
    ]
    for number, (name, color) in enumerate(COLORS.items()):
        y = TOP + HEIGHT + 48
        x = LEFT + number * 190
        parts.append(f'<line x1="{x}" y1="{y - 4}" x2="{x + 24}" y2="{y - 4}" stroke="{color}" stroke-width="2"/>')
        parts.append(f'<text x="{x + 30}" y="{y}">{name}</text>')
    parts.append(f'<text x="{LEFT}" y="{TOP + HEIGHT + 72}">full lines: unlike; dots: as published</text>')
    size = f'width="{second + WIDTH + 30}" height="{TOP + HEIGHT + 90}"'
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{style}</style>\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


if __name__ == "__main__":
    (HERE / "growth.svg").write_text(drawing())
