# SPDX-License-Identifier: Apache-2.0
"""Draws the curve over W as an SVG: the same rows give the same bytes."""
import bench_tables

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 170, 28, 48
LINES = (("tilepipe", "#1f6fb4", None), ("direct", "#c8553d", "stream_curve_direct"),
         ("synchronous loop", "#6b8e23", "stream_curve_synchronous"),
         ("CUB DeviceTransform", "#7a5195", "stream_curve_cub"))


def series(rows):
    """For each line of the picture its points (W, GB/s)."""
    points = {name: [] for name, _, _ in LINES}
    for row in rows:
        for name, _, bench in LINES:
            if bench == row["bench"]:
                points[name].append((bench_tables.w_of(row), row["peer_value"]))
        if row["bench"] == "stream_curve_direct":
            points["tilepipe"].append((bench_tables.w_of(row), row["ours"]))
    return {name: sorted(found) for name, found in points.items() if found}


def svg(rows):
    lines = series(rows)
    top = max([value for found in lines.values() for _, value in found], default=1)
    top = (int(top) // 500 + 1) * 500
    most = max([w for found in lines.values() for w, _ in found], default=1) or 1

    def x(w):
        return LEFT + (WIDTH - LEFT - RIGHT) * w / most

    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
           f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for value in range(0, top + 1, 500):
        out.append(f'<line x1="{LEFT}" y1="{y(value):.1f}" x2="{WIDTH - RIGHT}" y2="{y(value):.1f}" '
                   f'stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>')
    for w in sorted({w for found in lines.values() for w, _ in found}):
        out.append(f'<text x="{x(w):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{w}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{HEIGHT - 10}" text-anchor="middle">'
               f'W: dependent FMAs an element</text>')
    out.append(f'<text x="{LEFT - 48}" y="{TOP - 10}">GB/s, read and written</text>')
    taken = []
    for name, colour, _ in LINES:
        if name not in lines:
            continue
        path = " ".join(f"{x(w):.1f},{y(value):.1f}" for w, value in lines[name])
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x(w):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>'
                for w, value in lines[name]]
        label = y(lines[name][-1][1]) + 4
        while any(abs(label - other) < 14 for other in taken):
            label += 14
        taken.append(label)
        out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{label:.1f}" fill="{colour}">{name}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
