/**
 * `vrs check` on 14 pages × 3 widths against unchanged baselines, as a process from its start to its end, beside what
 * else one would run: BackstopJS `test`, Lost Pixel, and a bare loop of Playwright's own calls. All with the same browser,
 * on the same pages, as many at once as there are cores; taken in turn, the median counts. Lost Pixel's waits of seconds,
 * which it has by default, are set to nothing: the time that is compared is work. The peers take pages whose cards still
 * fade in, and then report differences where there are none; for vrs that is a failure.
 *
 *   node bench/cli-check.ts [rounds]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBrowser } from "../shared/capture/browser-binary.ts";
import { benchPages, PAGES } from "./capture-pages.ts";
import { median } from "./figures.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const WIDTHS = [375, 768, 1280];
const CONCURRENCY = availableParallelism();
/** The project's bars. */
const BAR_PEERS = 0.5;
const BAR_LOOP = 1.3;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const BACKSTOP = here("./node_modules/backstopjs/cli/index.js");
const LOST_PIXEL = here("./node_modules/lost-pixel/dist/bin.js");

const files = benchPages();
const server = createServer((request, response) => {
  const file = files.get(request.url ?? "");
  response.writeHead(file ? 200 : 404, {
    "Content-Type": file?.type ?? "text/plain",
    "Cache-Control": "max-age=600",
  });
  response.end(file?.body);
}).listen(0);
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("The server has no port.");
const site = `http://localhost:${address.port}`;

const cacheDir = join(tmpdir(), "vrs-test-browser");
const { executablePath, env: browserEnv } = await findBrowser({
  chromiumPath: process.env.CHROMIUM_PATH ?? null,
  cacheDir,
});
const launch = { executablePath, env: browserEnv, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] };
const root = await mkdtemp(join(tmpdir(), "vrs-bench-"));
await mkdir(join(root, "cache"));
await symlink(cacheDir, join(root, "cache", "vrs"));

interface Contestant {
  name: string;
  folder: string;
  /** Makes the baselines. */
  prepare: string[][];
  /** What is timed. */
  check: string[];
}

const TOOL = here("../cli/main.ts");
const contestants: Contestant[] = [
  {
    name: "bare Playwright loop",
    folder: await folder("loop", {
      "loop.json": JSON.stringify({ launch, site, pages: PAGES, widths: WIDTHS, atOnce: CONCURRENCY }),
    }),
    prepare: [],
    check: [here("./bare-loop.ts")],
  },
  {
    name: "vrs check",
    folder: await folder("vrs", {
      "package.json": '{ "type": "module" }',
      "service.config.ts": `export default ${JSON.stringify({ baseUrl: site, routes: PAGES.map(page => `/${page}`), viewports: WIDTHS, concurrency: CONCURRENCY })};`,
    }),
    prepare: [
      [TOOL, "check", "--quiet"],
      [TOOL, "approve"],
    ],
    check: [TOOL, "check"],
  },
  {
    name: "BackstopJS test",
    folder: await folder("backstop", { "backstop.json": JSON.stringify(backstopConfig()) }),
    prepare: [[BACKSTOP, "reference"]],
    check: [BACKSTOP, "test"],
  },
  {
    name: "Lost Pixel",
    folder: await folder("lost-pixel", {
      "lostpixel.config.js": `module.exports = { config: ${JSON.stringify(lostPixelConfig())} };`,
    }),
    prepare: [[LOST_PIXEL, "update"]],
    check: [LOST_PIXEL],
  },
];

try {
  const times = new Map<string, number[]>();
  const cpu = new Map<string, number[]>();
  for (const { name, folder: cwd, prepare } of contestants) {
    times.set(name, []);
    cpu.set(name, []);
    // The first check finds everything new, which two of them say with their exit code.
    for (const [index, args] of prepare.entries()) await run(args, cwd, index === 0 ? [0, 1] : [0]);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, folder: cwd, check } of contestants) {
      const before = childrenCpuMs();
      times.get(name)?.push(await run(check, cwd, name.startsWith("vrs") ? [0] : [0, 1]));
      cpu.get(name)?.push(childrenCpuMs() - before);
    }
  }
  const medians = new Map([...times].map(([name, values]) => [name, median(values)]));
  const of = (name: string) => medians.get(name) ?? Number.NaN;
  console.log(
    `check of ${PAGES.length} × ${WIDTHS.length} unchanged screenshots, ${CONCURRENCY} at once, median of ${ROUNDS} rounds`,
  );
  for (const [name, ms] of medians) {
    console.log(
      `  ${name.padEnd(21)} ${ms.toFixed(0).padStart(6)} ms   ${median(cpu.get(name) ?? [])
        .toFixed(0)
        .padStart(6)} ms of cores   vrs takes ${(of("vrs check") / ms).toFixed(2)} × of it`,
    );
  }
  const peers = Math.min(of("BackstopJS test"), of("Lost Pixel"));
  console.log(
    `  of the faster peer ${(of("vrs check") / peers).toFixed(2)} (bar ${BAR_PEERS}) · of the loop ${(of("vrs check") / of("bare Playwright loop")).toFixed(2)} (bar ${BAR_LOOP})`,
  );
} finally {
  server.closeAllConnections();
  server.close();
  await rm(root, { recursive: true, force: true });
}

/** Time that cores spent on the processes that have ended, and on theirs: what a busy machine changes little. */
function childrenCpuMs(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  // Fields 16 and 17 of the whole line, in hundredths of a second.
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** @returns milliseconds from start to exit */
async function run(args: string[], cwd: string, codes: number[]): Promise<number> {
  const began = performance.now();
  const env = {
    ...process.env,
    XDG_CACHE_HOME: join(root, "cache"),
    LOST_PIXEL_DISABLE_TELEMETRY: "1",
    CI: "",
  };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()));
  const [code] = await once(child, "close");
  if (!codes.includes(code)) throw new Error(`${args.join(" ")} ended with ${code}:\n${output.slice(-3000)}`);
  return performance.now() - began;
}

async function folder(name: string, content: Record<string, string>): Promise<string> {
  const path = join(root, name);
  await mkdir(path, { recursive: true });
  for (const [file, text] of Object.entries(content)) await writeFile(join(path, file), text);
  return path;
}

function backstopConfig() {
  return {
    id: "bench",
    viewports: WIDTHS.map(width => ({ label: `w${width}`, width, height: 800 })),
    scenarios: PAGES.map(page => ({
      label: page,
      url: `${site}/${page}`,
      selectors: ["document"],
      misMatchThreshold: 0.1,
    })),
    paths: Object.fromEntries(
      Object.entries({
        bitmaps_reference: "reference",
        bitmaps_test: "test",
        engine_scripts: "scripts",
        html_report: "html",
        ci_report: "ci",
      }).map(([key, path]) => [key, `backstop_data/${path}`]),
    ),
    report: ["json"],
    openReport: false,
    engine: "playwright",
    engineOptions: { browser: "chromium", ...launch },
    asyncCaptureLimit: CONCURRENCY,
    asyncCompareLimit: CONCURRENCY * 10,
  };
}

function lostPixelConfig() {
  return {
    generateOnly: true,
    failOnDifference: true,
    pageShots: {
      baseUrl: site,
      pages: PAGES.map(page => ({
        path: `/${page}`,
        name: page,
        waitBeforeScreenshot: 0,
        breakpoints: WIDTHS,
      })),
    },
    shotConcurrency: CONCURRENCY,
    compareConcurrency: CONCURRENCY,
    waitBeforeScreenshot: 0,
    timeouts: { waitForFirstRequest: 1, waitForLastRequest: 1 },
    browserLaunchOptions: { chromium: launch },
  };
}
