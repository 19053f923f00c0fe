# SPDX-License-Identifier: Apache-2.0
"""The README's tables: text between <!-- results:NAME --> and <!-- /results:NAME -->."""
import re

NOT_MEASURED = "Not measured yet."
# Configurations of the W table in the README, by row of h200.json.
CURVE = ("stream_curve_direct", "stream_curve_synchronous", "stream_curve_cub")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def w_of(row):
    return int(re.search(r"W(\d+)$", row["config"]).group(1))


def machine(results, _):
    """Card, versions, commit, and how a figure is made."""
    clean = "clean tree" if results["clean"] else "tree not clean"
    return (f"{results['machine']}, driver {results['driver']}, CUDA {results['cuda']}, CCCL "
            f"{results['cccl']}, {results['date']}, commit {results['commit'][:7]} ({clean}). Medians of "
            f"21 alternating samples; GB/s count bytes read and written; every result was checked.")


def bounds(results, known):
    """Every bound, the least ratio of its rows, and whether it holds."""
    rows = []
    for verdict in results["bounds"]:
        bound = known[verdict["bench"]]
        least = "not run" if verdict["least"] is None else f"{verdict['least']:.3f}"
        holds = "yes" if verdict["holds"] else f"**no** ({verdict['below']} of {verdict['rows']} rows)"
        rows.append([f"`{verdict['bench']}`", bound["what"], bound["against"], f"{verdict['bound']:.2f}",
                     least, holds])
    return table(["row", "what", "against", "bound", "least ratio", "holds"], rows)


def curve(results, _):
    """Over W: tilepipe, and what stages nothing or copies synchronously."""
    by_w = {}
    for row in results["rows"]:
        if row["bench"] in CURVE:
            by_w.setdefault(w_of(row), {})[row["bench"]] = row
    rows = []
    for w, found in sorted(by_w.items()):
        first = found["stream_curve_direct"]
        others = [found[name] if name in found else None for name in CURVE]
        rows.append([str(w), number(first["ours"]), first["ours_config"]] +
                    [f"{number(row['peer_value'])} ({row['ratio']:.2f})" if row else "" for row in others])
    return table(["W", "tilepipe, GB/s", "by", "direct (ratio)", "synchronous loop (ratio)",
                  "CUB (ratio)"], rows)


def list_of(*benches):
    def made(results, _):
        rows = [[row["config"], number(row["ours"]), row["ours_config"], number(row["peer_value"]),
                 row["peer_config"], f"{row['ratio']:.3f}" + (" (unstable)" if row["unstable"] else "")]
                for row in results["rows"] if row["bench"] in benches]
        if not rows:
            return NOT_MEASURED
        units = sorted({row["unit"] for row in results["rows"] if row["bench"] in benches})
        return table(["configuration", f"tilepipe, {', '.join(units)}", "by", "peer", "which", "ratio"], rows)
    return made


# Workloads of the examples: the kernel file, its rows, and the peer as h200.json's `peers` names it, if it is a project.
WORKLOADS = (
    ("03_gemm_tensor_core", ("gemm_sm80_4096", "gemm_sm80_8192", "gemm_sm80_odd", "gemm_sm80_odd_small",
                             "gemm_sm80_odd_unaligned", "gemm_split_k_cutlass"), "CUTLASS"),
    ("03_gemm_tensor_core", ("gemm_split_k",), None),
    ("04_gather_rows", ("gather_bag",), None),
    ("04_gather_rows", ("gather_bag_direct",), None),
    ("05_any_alignment", ("bytes_copy",), None),
    ("10_stencil", ("stencil7",), None),
    ("10_stencil", ("stencil7_plain",), None),
    ("11_sgemm", ("sgemm_4096",), "cuBLAS"),
    ("11_sgemm", ("sgemm_4096_sgemm_cuda",), "SGEMM_CUDA"),
    ("12_bgmv", ("bgmv", "bgmv_batch_1"), "punica"),
    ("13_decode_attention", ("decode",), "FlashInfer"),
    ("13_decode_attention", ("decode_bandwidth",), None),
    ("14_row_softmax", ("softmax_rows", "rmsnorm_rows"), None),
    ("14_row_softmax", ("softmax_torch", "rmsnorm_torch"), "torch"),
)


def peer_version(name, row, peers):
    """Of a project: as the results say, or as the row's own peer does behind its last comma."""
    if name is None:
        return ""
    version = peers.get(name) or next(iter(re.findall(rf"{name} (\S+)$", row["peer_config"])), "")
    return f"{name} {version}".strip()


def workloads(results, _):
    """What the examples' kernels are compared with, in which version, and the least and the greatest ratio."""
    made = []
    for example, benches, project in WORKLOADS:
        rows = [row for row in results["rows"] if row["bench"] in benches]
        if not rows:
            continue
        ratios = [row["ratio"] for row in rows]
        span = f"{min(ratios):.3f}" + (f" to {max(ratios):.3f}" if len(rows) > 1 else "")
        made.append([f"`{example}`", ", ".join(f"`{b}`" for b in benches if any(r["bench"] == b for r in rows)),
                     "; ".join(dict.fromkeys(row["peer"] for row in rows)),
                     peer_version(project, rows[0], results["peers"]), str(len(rows)), span])
    return table(["kernels of", "rows", "against", "version", "number", "ratio"], made) if made else NOT_MEASURED


def losses(results, known):
    """Rows below their bound, for the reader who wants to know where."""
    rows = [[f"`{row['bench']}`", row["config"], number(row["ours"]), number(row["peer_value"]),
             f"{row['ratio']:.3f}", f"{known[row['bench']]['bound']:.2f}"]
            for row in results["rows"]
            if row["bench"] in known and row["ratio"] < known[row["bench"]]["bound"]]
    return table(["row", "configuration", "tilepipe", "peer", "ratio", "bound"], rows) if rows else \
        "Every row holds its bound."


def latency(results, _):
    """Nanoseconds of one tile at a time."""
    rows = [[row["config"], number(1000 / row["ours"]), number(1000 / row["peer_value"])]
            for row in results["rows"] if row["bench"] == "path_latency"]
    return table(["path and tile", "tilepipe, ns", "ld, st and barrier by hand, ns"], rows) if rows else \
        NOT_MEASURED


def sass(results, _):
    """SASS instructions of the steady-state loop, ours and by hand."""
    rows = [[row["config"], str(row["ours"]), str(row["by_hand"]), f"{row['ours'] - row['by_hand']:+d}"]
            for row in results["sass"]]
    return table(["loop", "tilepipe", "by hand", "difference"], rows)


TABLES = {
    "machine": machine,
    "bounds": bounds,
    "curve": curve,
    "losses": losses,
    "workloads": workloads,
    "sass": sass,
    "readme": list_of("stream_readme"),
    "handwritten": list_of("stream_handwritten"),
    "cuda_pipeline": list_of("stream_cuda_pipeline"),
    "cuda_pipeline_80": list_of("stream_cuda_pipeline_80"),
    "thread_private": list_of("stream_thread_private"),
    "best": list_of("stream_w0_persistent", "stream_w0_any", "stream_w64_cub", "stream_w64_direct"),
    "registers": list_of("stream_registers", "stream_registers_by_vector", "registers_vs_cp_async"),
    "synchronous": list_of("stream_synchronous", "stream_classic"),
    "libcudacxx": list_of("stream_libcudacxx"),
    "runtime_block": list_of("stream_runtime_block"),
    "handshake": list_of("handshake_unified", "handshake_specialized", "handshake_tensor"),
    "gemm": list_of("gemm_sm80_4096", "gemm_sm80_8192", "gemm_sm80_odd", "gemm_sm80_odd_small",
                    "gemm_sm80_odd_unaligned"),
    "split_k": list_of("gemm_split_k", "gemm_split_k_cutlass"),
    "sgemm": list_of("sgemm_4096", "sgemm_4096_sgemm_cuda"),
    "gather": list_of("gather_bag", "gather_bag_direct"),
    "bytes": list_of("bytes_copy_same", "bytes_copy_small"),
    "bgmv": list_of("bgmv_batch_1", "bgmv"),
    "stencil": list_of("stencil7", "stencil7_plain"),
    "decode": list_of("decode", "decode_bandwidth"),
    "registers_freed": list_of("registers_freed"),
    "latency": latency,
}


def fill(text, results, known):
    """The text with each marked table replaced; an unknown name is an error."""
    def replaced(match):
        name = match.group(1)
        if name not in TABLES:
            raise SystemExit(f"README.md: there is no table {name}; known: {', '.join(TABLES)}")
        return f"<!-- results:{name} -->\n{TABLES[name](results, known)}\n<!-- /results:{name} -->"
    return re.sub(r"<!-- results:(\w+) -->\n.*?<!-- /results:\1 -->", replaced, text, flags=re.S)
