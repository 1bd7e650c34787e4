/**
 * Makes the current screenshots of the dashboard's own pages their baselines: `node
 * test/own-pages/approve.ts`. Look at the files before you commit them.
 */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { BASELINES, captureOwnPages } from "./capture-own-pages.ts";

const shots = await captureOwnPages();
await mkdir(BASELINES, { recursive: true });
for (const name of await readdir(BASELINES)) await rm(new URL(name, BASELINES));
for (const { name, png } of shots) {
  const small = await sharp(png).png({ compressionLevel: 9, effort: 10 }).toBuffer();
  await writeFile(new URL(`${name}.png`, BASELINES), small);
  console.log(`${name}.png  ${(small.length / 1024).toFixed(0)} kB`);
}
