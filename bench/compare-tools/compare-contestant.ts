/** Compares two files in one way. It runs in a separate process, so that its time and memory are its own. */
import { readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import looksSame from "looks-same";
import { ODiffServer, compare as odiffOnce } from "odiff-bin";
import pixelmatch from "pixelmatch";
import sharp from "sharp";
import { ComparePool } from "../../shared/compare/compare-pool.ts";
import { type CompareResult, type Contestant, OURS, type Task } from "./compare-task.ts";

type Compare = (task: Task) => Promise<number>;

function vrs(): Compare {
  const pool = new ComparePool({ threads: 1 });
  return async ({ baseline, current, mask }) => {
    const comparison = await pool.compare(readFileSync(baseline), readFileSync(current));
    if (comparison.mask) writeFileSync(mask, comparison.mask);
    return comparison.diffPixels;
  };
}

function odiff(antialiasing: boolean): Compare {
  const server = new ODiffServer();
  return async ({ baseline, current, mask }) => {
    const options = { threshold: 0.1, antialiasing, outputDiffMask: true };
    const result = await server.compare(baseline, current, mask, options);
    return result.match ? 0 : (result.diffCount ?? 0);
  };
}

const oneOff: Compare = async ({ baseline, current, mask }) => {
  const options = { threshold: 0.1, antialiasing: true, outputDiffMask: true };
  const result = await odiffOnce(baseline, current, mask, options);
  return result.match ? 0 : (result.diffCount ?? 0);
};

const withLooksSame: Compare = async ({ baseline, current, mask }) => {
  const { differentPixels, diffImage } = await looksSame(baseline, current, { createDiffImage: true });
  await diffImage?.save(mask);
  return differentPixels;
};

const plain: Compare = async ({ baseline, current, mask }) => {
  const decode = (file: string) => sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [before, after] = await Promise.all([decode(baseline), decode(current)]);
  const { width, height } = before.info;
  const output = Buffer.alloc(before.data.length);
  const count = pixelmatch(before.data, after.data, output, width, height, {
    threshold: 0.1,
    diffMask: true,
  });
  if (count > 0)
    await sharp(output, { raw: { width, height, channels: 4 } })
      .png()
      .toFile(mask);
  return count;
};

async function peakMb(): Promise<number | null> {
  if (name === "odiff one-off") return null;
  return name.startsWith("odiff") ? await peakMbOfChildren() : process.resourceUsage().maxRSS / 1024;
}

/** Returns the peak memory of the process's children, on Linux only. */
async function peakMbOfChildren(): Promise<number> {
  let peakMb = 0;
  for (const entry of await readdir("/proc").catch(() => [])) {
    const status = await readFile(`/proc/${entry}/status`, "utf8").catch(() => "");
    if (!status.includes(`PPid:\t${process.pid}\n`)) continue;
    peakMb += Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }
  return peakMb;
}

const COMPARISONS: Record<string, () => Compare> = {
  [OURS]: vrs,
  "odiff's server": () => odiff(true),
  "odiff's server without its anti-alias rule": () => odiff(false),
  "odiff one-off": () => oneOff,
  "looks-same": () => withLooksSame,
  pixelmatch: () => plain,
} satisfies Record<Contestant, () => Compare>;

const name = process.argv[2] ?? "";
const compare = COMPARISONS[name]?.();
if (!compare) throw new Error(`There is no way to compare called “${name}”.`);
process.on("message", async (task: Task) => {
  const start = performance.now();
  const diffPixels = await compare(task);
  const ms = performance.now() - start;
  process.send?.({ diffPixels, ms, peakMb: await peakMb() } satisfies CompareResult);
});
process.on("disconnect", () => process.exit());
