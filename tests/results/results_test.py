#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Results follow from their samples: the stored ones with --stored, else made-up ones, altered each way."""
import json
import os
import shutil
import statistics
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import bench_results  # noqa: E402
import bench_sass  # noqa: E402

HASH = "ab" * 32
COMMIT = "0123456789abcdef0123456789abcdef01234567"
README = """# T
<!-- results:machine -->
<!-- /results:machine -->
<!-- results:bounds -->
<!-- /results:bounds -->
<!-- results:curve -->
<!-- /results:curve -->
<!-- results:losses -->
<!-- /results:losses -->
"""


def samples(middle, count=21):
    return [middle * (1 + 0.001 * ((8 * i) % count - count // 2)) for i in range(count)]


def raw(bench, config, ours, theirs, **more):
    line = {"bench": bench, "config": config, "unit": "GB/s", "data": "beyond L2", "peer": "them",
            "ours": [{"config": f"ours {i}", "samples": samples(v)} for i, v in enumerate(ours)],
            "peers": [{"config": f"peer {i}", "samples": samples(v)} for i, v in enumerate(theirs)],
            "quick": False, "time": "2026-11-29T15:00:00Z", "clocks": {"sm_mhz": 1980}}
    line.update(more)
    return line


LINES = [
    {"machine": "card", "driver": "1", "cuda": "13.0", "cccl": "3.0.1", "sources": HASH,
     "commit": COMMIT, "clean": True},
    raw("stream_handwritten", "a, W0", [3000, 3900], [3800, 3000]),
    raw("stream_handwritten", "b, W64", [3000], [3100]),
    raw("stream_curve_direct", "c, W0", [3900], [4200]),
    raw("stream_curve_direct", "c, W64", [3500], [3100]),
    raw("gemm_sm80_4096", "4096^3", [470], [1], peers=[{"config": "figure", "figure": 459}]),
    raw("path_table", "bulk, 4 KiB x 2, 1 block/SM", [2000], [4300]),
    raw("path_table", "bulk, 4 KiB x 4, 1 block/SM", [3000], [4300]),
]


class ScriptTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        os.makedirs(os.path.join(self.root, "bench/results"))
        self.place = bench_results.Place(self.root)
        shutil.copy(os.path.join(ROOT, "bench/results/bounds.json"), self.place.bounds)
        self.raw = os.path.join(self.root, "raw.jsonl")
        self.write("readme", README)
        self.merge(LINES)

    def write(self, name, text):
        with open(getattr(self.place, name), "w", encoding="utf-8") as file:
            file.write(text)

    def merge(self, lines):
        with open(self.raw, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        shown, sys.stdout = sys.stdout, open(os.devnull, "w", encoding="utf-8")
        try:
            bench_results.merge(self.place, [self.raw], None, {"CUTLASS": "not run"})
        finally:
            sys.stdout.close()
            sys.stdout = shown
        bench_results.render(self.place)

    def altered(self, name, old, new):
        text = self.place.text(name)
        self.assertIn(old, text)
        self.write(name, text.replace(old, new, 1))
        return bench_results.check(self.place, HASH)

    def test_fresh_results_are_right(self):
        self.assertEqual(bench_results.check(self.place, HASH), [])

    def test_best_of_each_side_counts(self):
        row = self.place.load("results")["rows"][0]
        best_of = {side["config"]: statistics.median(side["samples"]) for side in LINES[1]["ours"]}
        self.assertEqual(row["ours_config"], "ours 1")
        self.assertAlmostEqual(row["ours"], best_of["ours 1"], places=2)
        self.assertEqual(row["peer_config"], "peer 0")
        self.assertAlmostEqual(row["ratio"], 3900 / 3800, places=4)

    def test_slowest_of_ours_counts_where_a_row_says_so(self):
        row = bench_results.make_row(raw("bytes_copy", "d", [3900, 3700, 3800], [4000, 4200], counts="slowest"))
        self.assertEqual((row["ours_config"], row["peer_config"]), ("ours 1", "peer 1"))
        self.assertAlmostEqual(row["ratio"], 3700 / 4200, places=4)

    def test_spread_is_between_the_tenths(self):
        row = self.place.load("results")["rows"][1]
        self.assertAlmostEqual(row["spread"], 0.016, places=3)
        self.assertFalse(row["unstable"])
        wide = [line for line in LINES]
        wide[2] = raw("stream_handwritten", "b, W64", [3000], [3100])
        wide[2]["peers"][0]["samples"] = [3100 * (1 + 0.01 * (i % 7 - 3)) for i in range(21)]
        self.merge(wide)
        self.assertTrue(self.place.load("results")["rows"][1]["unstable"])

    def test_percentile_lies_between_two_values(self):
        self.assertAlmostEqual(bench_results.percentile([4, 1, 2, 3], 0.5), 2.5)
        self.assertAlmostEqual(bench_results.percentile([10, 20], 0.9), 19)

    def test_loop_is_the_smallest_with_whole_tiles(self):
        # An outer loop of 8, an inner of 5 that stores twice and waits; one of 2 that does not wait.
        code = [(0, "MOV R0, R1"), (16, "NOP"), (32, "BAR.SYNC 0x0"), (48, "STG.E.128 [R2], R4"),
                (64, "STG.E.128 [R2+0x10], R4"), (80, "IADD3 R2, R2, 0x20, RZ"), (96, "@P0 BRA 0x20"),
                (112, "STG.E.128 [R2], R4"), (128, "STG.E.128 [R2], R4"), (144, "@P1 BRA 0x70"),
                (160, "@P2 BRA 0x0")]
        self.assertEqual(bench_sass.loop_length(code, r"STG\.E\.128", 2), (5, 1))
        self.assertEqual(bench_sass.loop_length(code, r"STG\.E\.128", 1), (2.5, 2))
        self.assertIsNone(bench_sass.loop_length(code, r"LDGSTS", 1))

    def test_every_row_has_to_hold_the_bound(self):
        verdicts = {v["bench"]: v for v in self.place.load("results")["bounds"]}
        self.assertFalse(verdicts["stream_handwritten"]["holds"])
        self.assertEqual(verdicts["stream_handwritten"]["below"], 1)
        self.assertFalse(verdicts["stream_readme"]["holds"], "a bound without rows does not hold")
        self.assertTrue(verdicts["gemm_sm80_4096"]["holds"])
        self.assertIn("| b, W64 | 3000 | 3100 | 0.968 | 0.99 |", self.place.text("readme"))

    def test_published_figure_is_said_to_be_one(self):
        row = self.place.load("results")["rows"][4]
        self.assertEqual(row["peer_value"], 459)
        self.assertIn("not run", row["peer_is"])

    def test_altered_median_is_found(self):
        self.assertTrue(self.altered("results", '"ours": 3900', '"ours": 3901'))

    def test_altered_ratio_is_found(self):
        self.assertTrue(self.altered("results", '"ratio": 1.02632', '"ratio": 1.03'))

    def test_altered_bound_is_found(self):
        self.assertTrue(self.altered("bounds", '"bound": 0.99', '"bound": 0.98'))

    def test_altered_sample_is_found(self):
        self.assertTrue(self.altered("samples", "3900", "3999"))

    def test_altered_readme_table_is_found(self):
        self.assertTrue(self.altered("readme", "0.968", "0.998"))

    def test_altered_curve_is_found(self):
        self.assertTrue(self.altered("curve", "<circle", "<circle id='x'"))

    def test_altered_picture_of_the_paths_is_found(self):
        self.assertTrue(self.altered("paths", "<circle", "<circle id='x'"))

    def test_dropped_row_is_found(self):
        lines = self.place.text("samples").splitlines(True)
        self.write("samples", "".join(lines[:-1]))
        self.assertTrue(bench_results.check(self.place, HASH))

    def test_other_tree_needs_the_commit_in_the_readme(self):
        self.assertEqual(bench_results.check(self.place, "cd" * 32), [], "the machine line names it")
        self.write("readme", "# T\n")
        self.assertTrue(bench_results.check(self.place, "cd" * 32))

    def test_refused_input(self):
        few = raw("stream_readme", "x, W64", [1], [1])
        few["ours"][0]["samples"] = few["ours"][0]["samples"][:14]
        other = dict(LINES[0], driver="2")
        for lines in (LINES + [few], LINES + [raw("stream_readme", "x, W64", [1], [1], quick=True)],
                      LINES + [other]):
            with self.assertRaises(SystemExit):
                self.merge(lines)

    def test_hash_covers_bench_and_include_but_no_results(self):
        files = set(bench_results.source_files())
        self.assertIn("include/tilepipe/tilepipe.cuh", files)
        self.assertIn("bench/baseline/stream_bulk.cuh", files)
        self.assertFalse([name for name in files if name.startswith("bench/results/")])


def stored():
    place = bench_results.Place()
    if not os.path.exists(place.results):
        print("bench/results/h200.json is missing")
        return 1
    wrong = bench_results.check(place, bench_results.source_hash())
    print("\n".join(wrong) if wrong else "rows, tables and pictures follow from the samples")
    return 1 if wrong else 0


if __name__ == "__main__":
    if "--stored" in sys.argv:
        sys.exit(stored())
    unittest.main()
