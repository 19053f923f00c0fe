# SPDX-License-Identifier: Apache-2.0
"""Draws what each path reads with a ring of so many bytes as an SVG: the same rows give the same bytes."""
import math
import re

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 190, 28, 48
COLOURS = {"registers": "#6b8e23", "cp_async, groups": "#c8553d", "cp_async, mbarrier": "#7a5195",
           "bulk": "#1f6fb4"}
DASHES = {4: "", 16: ' stroke-dasharray="6 4"'}  # by KiB of a tile


def series(rows):
    """For each path and size of a tile its points (KiB of the ring, GB/s)."""
    points = {}
    for row in rows:
        if row["bench"] == "path_table":
            path, tile, stages = re.match(r"(.*), (\d+) KiB x (\d+),", row["config"]).groups()
            points.setdefault((path, int(tile)), []).append((int(tile) * int(stages), row["ours"]))
    return {key: sorted(found) for key, found in points.items()}


def svg(rows):
    lines = series(rows)
    direct = max((row["peer_value"] for row in rows if row["bench"] == "path_table"), default=0)
    values = [value for found in lines.values() for _, value in found]
    top = (int(max(values + [direct], default=1)) // 500 + 1) * 500
    sizes = sorted({size for found in lines.values() for size, _ in found}) or [1]
    span = math.log2(sizes[-1] / sizes[0]) or 1

    def x(size):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log2(size / sizes[0]) / span

    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
           f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for value in range(0, top + 1, 500):
        out.append(f'<line x1="{LEFT}" y1="{y(value):.1f}" x2="{WIDTH - RIGHT}" y2="{y(value):.1f}" '
                   f'stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>')
    out += [f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{size}</text>'
            for size in sizes]
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{HEIGHT - 10}" text-anchor="middle">'
               f'KiB of the ring, one block of 256 threads a multiprocessor</text>')
    out.append(f'<text x="{LEFT - 48}" y="{TOP - 10}">GB/s, read</text>')
    for (path, tile), found in sorted(lines.items()):
        places = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in found)
        out.append(f'<polyline points="{places}" fill="none" stroke="{COLOURS[path]}" '
                   f'stroke-width="2"{DASHES[tile]}/>')
        out += [f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="3" fill="{COLOURS[path]}"/>'
                for size, value in found]
    legend = [(path, COLOURS[path], "") for path in COLOURS if any(key[0] == path for key in lines)]
    legend += [(f"tiles of {tile} KiB", "#444", DASHES[tile]) for tile in DASHES
               if any(key[1] == tile for key in lines)]
    if direct:
        out.append(f'<line x1="{LEFT}" y1="{y(direct):.1f}" x2="{WIDTH - RIGHT}" y2="{y(direct):.1f}" '
                   f'stroke="#444" stroke-dasharray="2 3"/>')
        legend.append(("direct reads, 8 blocks", "#444", ' stroke-dasharray="2 3"'))
    for i, (name, colour, dash) in enumerate(legend):
        at = TOP + 12 + 18 * i
        out.append(f'<line x1="{WIDTH - RIGHT + 12}" y1="{at}" x2="{WIDTH - RIGHT + 36}" y2="{at}" '
                   f'stroke="{colour}" stroke-width="2"{dash}/>')
        out.append(f'<text x="{WIDTH - RIGHT + 42}" y="{at + 4}">{name}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
