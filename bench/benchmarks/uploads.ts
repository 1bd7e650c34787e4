/**
 * Measures `vrs upload` as a process from start to conclusion: 2,000 screenshots that the service knows, and 200 new
 * ones of a megapixel beside Argos's client. Measures what the reporter of `vrs/playwright` adds to a test run.
 *
 * node bench/benchmarks/uploads.ts [pairs] [--quick]
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { EMBEDDED } from "../../test/support/databases/databases.ts";
import { Vrs } from "../../test/support/drivers/vrs.ts";
import { startArgosStandIn } from "../support/argos-stand-in.ts";
import { startCountingProxy } from "../support/counting-proxy.ts";
import { bare, compareMeasurements, type Measurement, measureOf } from "../support/figures.ts";
import { readOptions } from "../support/options.ts";
import { runPairedRounds } from "../support/paired-rounds.ts";
import { launchOptions } from "../support/peer-tools.ts";
import { publish } from "../support/publish.ts";
import { makeFolder, runTool } from "../support/tool-process.ts";

const { pairs, quick } = readOptions({ pairs: 5, quickPairs: 1 });
const KNOWN = quick ? 200 : 2_000;
const NEW = quick ? 20 : 200;
const TESTS = quick ? 6 : 40;
/** The project's bars. */
const BAR_KNOWN = { is: "at most", value: 5_000 } as const;
const BAR_SENT = { is: "at most", value: 2 } as const;
const BAR_NEW = { is: "at most", value: 15_000 } as const;
const BAR_REPORTER = { is: "at most", value: 1.02 } as const;

const TOOL = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
const ARGOS = fileURLToPath(new URL("../programs/argos-upload.ts", import.meta.url));
const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const PLAYWRIGHT = join(MODULES, "playwright/cli.js");
const REPORTER = fileURLToPath(new URL("../../cli/playwright/index.ts", import.meta.url));

const root = await mkdtemp(join(tmpdir(), "vrs-uploads-"));
const service = await Vrs.start({}, EMBEDDED);
const proxy = await startCountingProxy(service.baseUrl);
const standIn = await startArgosStandIn(await makeFolder(join(root, "argos"), {}));
const access = { SERVICE_API_URL: proxy.url, SERVICE_API_KEY: service.key };
const newCommit = () => randomBytes(20).toString("hex");

const git = (...args: string[]) =>
  promisify(execFile)("git", ["-c", "user.name=vrs", "-c", "user.email=vrs@localhost", ...args], {
    cwd: root,
  });
await git("init", "--quiet", "--initial-branch", "main");

/** Returns a page-like image: text and boxes that differ with the seed. */
async function draw(file: string, width: number, height: number, seed: string): Promise<void> {
  const lines = Array.from(
    { length: Math.floor(height / 24) },
    (_, row) =>
      `<text x="${20 + (row % 5) * 8}" y="${24 * row + 18}" font-size="15">${row} Screenshot ${seed} of a page with text</text>`,
  );
  const boxes = Array.from(
    { length: 12 },
    (_, at) =>
      `<rect x="${(at * width) / 12}" y="${((at * 97) % height) / 2}" width="90" height="60" fill="hsl(${at * 30} 70% 60%)"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${boxes.join("")}${lines.join("")}</svg>`;
  await writeFile(file, await sharp(Buffer.from(svg)).png().toBuffer());
}

async function drawFolder(name: string, count: number, width: number, height: number): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder, { recursive: true });
  for (let at = 0; at < count; at += 1)
    await draw(join(folder, `page-${at}.png`), width, height, `${name} ${at}`);
  return folder;
}

/** Uploads a folder with a commit of its own. */
async function upload(folder: string, project: string, codes: number[]): Promise<Measurement> {
  await git("commit", "--quiet", "--allow-empty", "--message", newCommit());
  return await runTool([TOOL, "upload", folder, "--project", project], root, codes, access);
}

/** Approves the latest run of a project. */
async function approveLatest(project: string): Promise<void> {
  const response = await service.request(`/v1/runs?project=${project}&limit=1`);
  const id = /"id":"(run_\w+)"/.exec(await response.text())?.[1];
  if (!id) throw new Error(`${project} has no run.`);
  await service.client().approve(id);
}

async function measureKnown(): Promise<{ times: Measurement[]; sent: number[] }> {
  const folder = await drawFolder("known", KNOWN, 390, 600);
  await upload(folder, "known", [0, 1]);
  await approveLatest("known");
  const times: Measurement[] = [];
  const sent: number[] = [];
  for (let round = 0; round <= pairs; round += 1) {
    const before = proxy.sentBytes();
    const one = await upload(folder, "known", [0]);
    if (round === 0) continue;
    times.push(one);
    sent.push((proxy.sentBytes() - before) / 1e6);
  }
  return { times, sent };
}

async function measureNew() {
  let round = 0;
  let folder = await drawFolder("new-0", NEW, 1280, 800);
  let uses = 0;
  // Both contestants of a round upload the same new images.
  const nextFolder = async () => {
    if (uses === 2) {
      round += 1;
      uses = 0;
      await rm(folder, { recursive: true });
      folder = await drawFolder(`new-${round}`, NEW, 1280, 800);
    }
    uses += 1;
    return folder;
  };
  return await runPairedRounds(
    [
      { name: "vrs upload", measure: async () => upload(await nextFolder(), "new", [1]) },
      {
        name: "Argos",
        measure: async () => runTool([ARGOS, standIn.url, await nextFolder(), newCommit()], root, [0]),
      },
    ],
    { pairs },
  );
}

const SPEC = `
import { expect, test } from "playwright/test";
for (let at = 0; at < ${TESTS}; at += 1)
  test("page " + at, async ({ page }) => {
    await page.setContent("<h1>Page " + at + "</h1>" + "<p>Text of the page</p>".repeat(60));
    await expect(page).toHaveScreenshot();
  });`;
const configOf = (reports: boolean) => `
import { defineConfig } from "playwright/test";
${reports ? `import { withVrs } from ${JSON.stringify(REPORTER)};` : "const withVrs = config => config;"}
export default withVrs(defineConfig({ testDir: "tests", workers: 1, reporter: "line", updateSnapshots: "missing",
  use: { launchOptions: ${JSON.stringify(launch())} } }), { project: "reporter" });`;

function launch(): object {
  return browser;
}

async function measureReporter() {
  const run = async (name: string, reports: boolean) => {
    const cwd = join(root, name);
    const config = reports ? "with.config.mjs" : "without.config.mjs";
    return await runTool([PLAYWRIGHT, "test", "--config", config], cwd, [0, 1], access);
  };
  const folder = await makeFolder(join(root, "tests-project"), {
    "with.config.mjs": configOf(true),
    "without.config.mjs": configOf(false),
  });
  await makeFolder(join(folder, "tests"), { "pages.spec.mjs": SPEC });
  await symlink(MODULES, join(folder, "node_modules"));
  return await runPairedRounds(
    [
      { name: "with the reporter", measure: () => run("tests-project", true) },
      { name: "without", measure: () => run("tests-project", false) },
    ],
    { pairs },
  );
}

const browser = await launchOptions();
try {
  const known = await measureKnown();
  const fresh = await measureNew();
  const reporter = await measureReporter();
  const ours = fresh.of("vrs upload");
  await publish({
    name: "uploads",
    title: "Uploading screenshots",
    how: `\`vrs upload\` is timed from the start of its process to its exit, after the run's conclusion. The service runs on the same machine. Argos's client uploads to a local stand-in, which stores the images and compares nothing.`,
    quick,
    withBrowser: true,
    measures: [
      measureOf(
        { title: `${KNOWN} known screenshots, to the conclusion`, unit: "ms", bar: BAR_KNOWN },
        known.times,
      ),
      measureOf({ title: `${KNOWN} known screenshots, sent`, unit: "MB", bar: BAR_SENT }, bare(known.sent)),
      measureOf(
        { title: `${NEW} new screenshots of 1 MP, to the conclusion`, unit: "ms", bar: BAR_NEW },
        ours.measurements,
      ),
    ],
    comparisons: [
      compareMeasurements(
        { title: `${NEW} new screenshots of 1 MP`, unit: "ms", ratioIs: "of its time" },
        ours,
        fresh.of("Argos"),
      ),
      compareMeasurements(
        { title: `${TESTS} Playwright tests`, unit: "ms", ratioIs: "of its time", bar: BAR_REPORTER },
        reporter.of("with the reporter"),
        reporter.of("without"),
      ),
    ],
  });
} finally {
  proxy.close();
  standIn.close();
  await service.stop();
  await rm(root, { recursive: true, force: true });
}
