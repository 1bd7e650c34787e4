/** Writes docs/reference/benchmarks.md from bench/results: `node bench/programs/write-benchmarks.ts`. */
import { writePage } from "../support/results.ts";

await writePage();
