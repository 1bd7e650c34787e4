/**
 * Takes the screenshots of docs/images: `npm run docs:screenshots`. It starts the service and the demo's
 * sample site, checks both versions, and opens the results in the lock file's browser. Check the files before
 * you commit them.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { marked } from "marked";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright";
import sharp from "sharp";
import { compareWithExpected } from "../../cli/demo/compare-with-expected.ts";
import { freePort } from "../../cli/demo/free-port.ts";
import { startService } from "../../cli/demo/service-process.ts";
import { expectedChanges } from "../../cli/demo/site/second-version.ts";
import { DEMO_ROUTES, type SampleSite, startSite } from "../../cli/demo/site-server.ts";
import { describeComment } from "../../services/scm/pull-requests/describe-comment.ts";
import { ApiClient } from "../../shared/api/api-client.ts";
import { findBrowser } from "../../shared/capture/browser/browser-binary.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { SubmitRunInput } from "../../shared/contracts/runs/submit-run.ts";
import { VARIABLE_NAMES } from "../../shared/environment/variables.ts";
import { MONITOR } from "../../test/own-pages/monitor-data.ts";
import { serveOwnPages } from "../../test/own-pages/server.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const IMAGES = new URL("../images/", import.meta.url);
const STYLE = new URL("comment.css", import.meta.url);
const VIEWPORTS = [375, 1280];
const WINDOW = { width: 1280, height: 760 };
/** A page that is slow to load should not slow down the docs. */
const MAX_BYTES = 150_000;
const SHA = "8f3c1d20a7b94e6510c2f4d8b1e07a93d5c6f284";
const PORT = 4460;

type RunScm = NonNullable<SubmitRunInput["scm"]>;

/** The service with both runs of the sample site. */
interface Demo {
  baseUrl: string;
  apiKey: string;
  client: ApiClient;
  second: RunView;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "vrs-docs-"));
  const [site, browser] = await Promise.all([startSite(), launch()]);
  const port = await freePort(PORT);
  const baseUrl = `http://localhost:${port}`;
  const apiKey = `vrs_docs_${randomBytes(18).toString("base64url")}`;
  const env = {
    ...Object.fromEntries(VARIABLE_NAMES.map(name => [name, ""])),
    PORT: String(port),
    SERVICE_DATA_DIR: join(folder, "data"),
    SERVICE_ALLOW_HOSTS: `localhost:${site.port}`,
    SERVICE_BOOTSTRAP_KEY: apiKey,
  };
  const service = await startService(ROOT, env, join(folder, "service.log"), new AbortController().signal);
  try {
    const client = new ApiClient({ baseUrl, apiKey });
    const second = await checkBothVersions(client, site);
    await takeAll(browser, { baseUrl, apiKey, client, second });
  } finally {
    await Promise.all([service.stop(), site.close(), browser.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function launch(): Promise<Browser> {
  const found = await findBrowser({
    chromiumPath: process.env.CHROMIUM_PATH ?? null,
    cacheDir: join(ROOT, "node_modules/.cache/vrs"),
  });
  return await chromium.launch({ ...found, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
}

async function checkBothVersions(client: ApiClient, site: SampleSite): Promise<RunView> {
  const base = SHA.replace("8", "1");
  const check = async (scm: Pick<RunScm, "branch" | "pr" | "sha" | "baseSha">) => {
    const { id } = await client.submitRun({
      url: site.url,
      project: "acme/tidewell",
      routes: DEMO_ROUTES,
      viewports: VIEWPORTS,
      threshold: 0,
      scm: { owner: "acme", repo: "tidewell", author: "ada", ...scm },
    });
    return await client.waitForRun(id);
  };
  const first = await check({ branch: "main", sha: base });
  await client.approve(first.id);
  site.show(2);
  return await check({ branch: "autumn-prices", pr: 7, sha: SHA, baseSha: base });
}

async function takeAll(browser: Browser, demo: Demo): Promise<void> {
  const { baseUrl, second } = demo;
  const screenshots = await demo.client.listScreenshots(second.id);
  const found = compareWithExpected(screenshots, expectedChanges(DEMO_ROUTES, VIEWPORTS));
  if (!found.ok) throw new Error(`The docs would show a false change: ${found.line}. Run it again.`);
  const shown = screenshots.find(({ route, viewport }) => route === "/pricing" && viewport === 1280);
  for (const colorScheme of ["light", "dark"] as const)
    await shoot(browser, `review-${colorScheme}`, { colorScheme }, async page => {
      await signIn(page, demo);
      await page.goto(`${baseUrl}/review/${second.id}?shot=${shown?.id}&mode=side`);
      await page.locator(".queue-shot").first().waitFor();
    });
  await shoot(browser, "dashboard", {}, async page => {
    await signIn(page, demo);
    await page.goto(`${baseUrl}/runs/${second.id}`);
    await page.locator("article").first().waitFor();
  });
  await shoot(browser, "report", {}, page => page.goto(second.links.report));
  await shoot(browser, "check-comment", { viewport: { width: 900, height: 400 } }, page =>
    showComment(page, demo),
  );
  await using own = await serveOwnPages();
  await shoot(browser, "monitor", {}, async page => {
    await page.goto(`${own.url}/monitors/${MONITOR}`);
    await page.locator(".pair").first().waitFor();
  });
}

async function signIn(page: Page, { baseUrl, apiKey }: Demo): Promise<void> {
  const answer = await page.request.post(`${baseUrl}/v1/session`, {
    headers: { Origin: baseUrl },
    data: { apiKey },
  });
  if (!answer.ok()) throw new Error(`Signing in failed: ${answer.status()} ${await answer.text()}`);
}

/** Shows the service's comment, in colors like a code host's. */
async function showComment(page: Page, { client, second }: Demo): Promise<void> {
  const screenshots = await client.listScreenshots(second.id);
  const comment = describeComment({ kind: "ended", run: second, screenshots }, SHA) ?? "";
  const [style, body] = await Promise.all([readFile(STYLE, "utf8"), marked.parse(comment, { gfm: true })]);
  await page.setContent(
    `<style>${style}</style><article><header><b>vrs</b> <span>bot</span> commented just now</header><div>${body}</div></article>`,
  );
}

/** Opens a page, waits for its images, and writes a screenshot. */
async function shoot(
  browser: Browser,
  name: string,
  options: BrowserContextOptions,
  open: (page: Page) => Promise<unknown>,
): Promise<void> {
  await using context = await browser.newContext({
    viewport: WINDOW,
    deviceScaleFactor: 1.5,
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  await open(page);
  await page.waitForLoadState("load");
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === "lazy"),
  );
  // The dashboard emits no event for what it draws after its images.
  await page.waitForTimeout(1_500);
  const png = await page.screenshot();
  const webp = await sharp(png).webp({ quality: 82, effort: 6 }).toBuffer();
  if (webp.length > MAX_BYTES) throw new Error(`${name} has ${webp.length} bytes, ${MAX_BYTES} at most.`);
  await writeFile(new URL(`${name}.webp`, IMAGES), webp);
  console.log(`${name}.webp  ${Math.round(webp.length / 1000)} kB`);
}

await main();
