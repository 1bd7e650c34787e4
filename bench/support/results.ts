import { readdir, readFile, writeFile } from "node:fs/promises";
import { BENCHES } from "./benches.ts";
import { benchmarksPage } from "./benchmarks-page.ts";
import { type Figures, figures } from "./figures.ts";

const RESULTS = new URL("../results/", import.meta.url);
export const PAGE = new URL("../../docs/reference/benchmarks.md", import.meta.url);

/** Reads the last figures, in the order of the benchmarks. @throws Error on an invalid file */
export async function readResults(): Promise<Figures[]> {
  const files = (await readdir(RESULTS)).filter(name => name.endsWith(".json"));
  const order: readonly string[] = BENCHES;
  const all = await Promise.all(
    files.map(async file => {
      const read = figures.parse(JSON.parse(await readFile(new URL(file, RESULTS), "utf8")));
      if (file !== `${read.name}.json` || !order.includes(read.name))
        throw new Error(`bench/results/${file} holds the figures of “${read.name}”.`);
      return read;
    }),
  );
  return all.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

export async function writeResult(result: Figures): Promise<void> {
  await writeFile(new URL(`${result.name}.json`, RESULTS), `${JSON.stringify(result, null, 2)}\n`);
}

/** Writes docs/reference/benchmarks.md. */
export async function writePage(): Promise<void> {
  await writeFile(PAGE, benchmarksPage(await readResults()));
}
