/**
 * Compares two page screenshots of 3,400 × 10,000 px on disk, to verdict and mask: this project's pool, odiff's
 * server, and pixelmatch on images decoded by sharp. All are warm; rounds alternate; medians.
 *
 *   npm install --prefix bench && node bench/compare.ts [rounds]
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, CONTESTANTS, type Contestant, type Task } from "./compare-contestant.ts";
import {
  ENCODINGS,
  type Encoding,
  fileOf,
  HEIGHT,
  type PageName,
  renderPages,
  WIDTH,
} from "./compare-pages.ts";

/** Times odiff's that the comparison must be faster: the project's bar. */
const CASES = [
  { title: "identical", page: "baseline", bar: 20 },
  { title: "small change", page: "small", bar: 2 },
  { title: "large change", page: "large", bar: 1.2 },
] as const satisfies { title: string; page: PageName; bar: number }[];

const ROUNDS = Number(process.argv[2] ?? 7);
const WARM_UP_ROUNDS = 2;

async function measure(folder: string, encoding: Encoding, page: PageName): Promise<Map<Contestant, Answer>> {
  const processes = CONTESTANTS.map(name => {
    const answers: Answer[] = [];
    return { name, child: start(name), answers };
  });
  try {
    const [baseline, current] = [fileOf(folder, "baseline", encoding), fileOf(folder, page, encoding)];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      for (const { name, child, answers } of processes) {
        const answer = await ask(child, { baseline, current, mask: join(folder, `${name}.png`) });
        if (round >= WARM_UP_ROUNDS) answers.push(answer);
      }
    }
    return new Map(processes.map(({ name, answers }) => [name, median(answers)]));
  } finally {
    for (const { child } of processes) child.disconnect();
  }
}

function start(name: Contestant): ChildProcess {
  return fork(new URL("./compare-contestant.ts", import.meta.url), [name]);
}

async function ask(child: ChildProcess, task: Task): Promise<Answer> {
  const answered = once(child, "message");
  child.send(task);
  const [answer]: Answer[] = await answered;
  if (!answer) throw new Error("a contestant ended without an answer");
  return answer;
}

function median(answers: Answer[]): Answer {
  const sorted = answers.toSorted((a, b) => a.ms - b.ms);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error("no rounds were run");
  return { ...middle, peakMb: Math.max(...answers.map(answer => answer.peakMb)) };
}

const folder = await mkdtemp(join(tmpdir(), "vrs-bench-"));
try {
  await renderPages(process.env.CHROMIUM_PATH, (page, encoding, png) =>
    writeFile(fileOf(folder, page, encoding), png),
  );
  console.log(`${WIDTH} × ${HEIGHT} px, medians of ${ROUNDS} alternating rounds, warm`);
  for (const encoding of ENCODINGS) {
    for (const { title, page, bar } of CASES) {
      const results = await measure(folder, encoding, page);
      const own = results.get("vrs");
      console.log(`\n${title}, PNG encoding "${encoding}"`);
      for (const [name, { ms, peakMb, diffPixels }] of results) {
        const ratio = own && name !== "vrs" ? `${(ms / own.ms).toFixed(2)} ×` : "";
        const note = name === "odiff" ? ` (bar ${bar} ×)` : "";
        const figures = `${ms.toFixed(1).padStart(8)} ms  peak ${peakMb.toFixed(0).padStart(5)} MB  ${String(diffPixels).padStart(8)} px`;
        console.log(`  ${name.padEnd(34)}${figures}  ${ratio}${note}`);
      }
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
