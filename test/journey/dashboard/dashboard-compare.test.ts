import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import sharp from "sharp";
import { type ComparisonView, comparisonView } from "../../../shared/contracts/comparisons/comparisons.ts";
import { type LooksView, looksView } from "../../../shared/contracts/comparisons/looks.ts";
import { monitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { runView } from "../../../shared/contracts/runs/runs.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { vrs as command } from "../../support/drivers/vrs-command.ts";
import { Site } from "../../support/fixtures/site.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CAUSE = ".card padding 12px → 24px, by app.css (changed)";

describe("comparing two sides, from the API to the dashboard", () => {
  let vrs: Vrs;
  let site: Site;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  let folder: string;
  let runs: string[] = [];
  let monitorId: string;

  const showPadding = (px: number) =>
    site.pages.set("/app.css", (_request, response) =>
      response.writeHead(200, { "Content-Type": "text/css" }).end(`.card{padding:${px}px;background:#ddd}`),
    );
  const read = async (path: string): Promise<unknown> => (await vrs.request(path)).json();
  const submit = async (project: string) => {
    const body = { url: site.url, project, routes: ["/", "/about"], viewports: [400] };
    const { id } = runView.pick({ id: true }).parse(await (await vrs.post("/v1/run", body)).json());
    await until(async () => runView.parse(await read(`/v1/runs/${id}`)).completedAt !== null);
    return id;
  };
  const compare = async (base: string, head: string): Promise<ComparisonView> => {
    let compared = comparisonView.parse(await read(`/v1/compare?base=${base}&head=${head}`));
    await until(async () => {
      compared = comparisonView.parse(await read(`/v1/compare?base=${base}&head=${head}`));
      return compared.status === "completed";
    });
    return compared;
  };
  const looks = async (): Promise<LooksView> =>
    looksView.parse(await read(`/v1/monitors/${monitorId}/looks?route=/&viewport=400`));
  const check = async () => {
    const before = monitorView.parse(await read(`/v1/monitors/${monitorId}`)).lastCheck?.id;
    await vrs.post(`/v1/monitors/${monitorId}/run`, {});
    await until(async () => {
      const { lastCheck, currentCheck } = monitorView.parse(await read(`/v1/monitors/${monitorId}`));
      return !currentCheck && lastCheck !== null && lastCheck.id !== before;
    });
  };

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    const html = (name: string) =>
      `<!doctype html><html lang="en"><title>${name}</title><link rel="stylesheet" href="/app.css"><h1>${name}</h1><p class="card">Card</p>`;
    [vrs, site, browser, folder] = await Promise.all([
      Vrs.start(),
      Site.start({ "/": html("Home"), "/about": html("About") }),
      launchBrowser(),
      mkdtemp(join(tmpdir(), "vrs-compare-")),
    ]);
    visited = await visit(browser, { viewport: { width: 1280, height: 900 } });
    page = visited.page;
    page.setDefaultTimeout(60_000);
    const monitor = { name: "Shop", url: site.url, routes: ["/"], viewports: [400] };
    showPadding(12);
    runs = [await submit("before")];
    monitorId = monitorView.parse(await (await vrs.post("/v1/monitors", monitor)).json()).id;
    await check();
    showPadding(24);
    runs.push(await submit("after"));
    await check();
  });
  after(async () => {
    await browser?.close();
    await Promise.all([vrs?.stop(), site?.stop()]);
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it("groups the pages of two runs by their cause over HTTP", async () => {
    const [base = "", head = ""] = runs;
    const { counts, groups, data } = await compare(base, head);
    assert.deepEqual([counts.changed, groups.length, groups[0]?.pages.length], [2, 1, 2]);
    assert.equal(groups[0]?.cause?.replaceAll("`", ""), CAUSE);
    assert.deepEqual(
      data.map(({ route }) => route),
      ["/", "/about"],
    );
    const same = await compare(base, base);
    assert.deepEqual([same.counts.unchanged, same.groups], [2, []]);
  });

  it("prints the cause in a terminal, and writes a report", async () => {
    const env = { SERVICE_API_URL: vrs.baseUrl, SERVICE_API_KEY: vrs.key };
    const report = join(folder, "changes.html");
    const [base = "", head = ""] = runs;
    const changed = await command(["compare", base, head, "--report", report], { cwd: folder, env });
    assert.equal(changed.code, 1, changed.stderr);
    assert.ok(changed.stdout.replaceAll(/\s+/g, " ").includes(CAUSE), changed.stdout);
    assert.match(await readFile(report, "utf8"), /padding 12px → 24px/);
    assert.equal((await command(["compare", base, base], { cwd: folder, env })).code, 0);
  });

  it("shows the comparison in the dashboard, whose address is a link to it", async () => {
    const [base = "", head = ""] = runs;
    await page.goto(`${vrs.baseUrl}/compare?base=run:${base}&head=run:${head}`);
    await page.getByLabel("API key").fill(vrs.key);
    await page.getByRole("button", { name: "Sign in with API key" }).click();
    const pages = page.getByRole("navigation", { name: "Compared pages" });
    await pages.getByText(CAUSE).waitFor();
    // The browser reports the request without a session.
    visited.complaints.splice(0);
    await page.getByRole("status").filter({ hasText: "2 changed" }).waitFor();
    await pages.getByRole("button", { name: /about/ }).click();
    await page.getByRole("heading", { name: /about/ }).waitFor();
    await page.locator(".compare-why summary").filter({ hasText: CAUSE }).waitFor();
    await assertAccessible(page);
    const link = page.url();
    await page.goto(`${vrs.baseUrl}/runs`);
    await page.goto(link);
    await page.getByRole("heading", { name: /about/ }).waitFor();
  });

  it("has all pages of two large runs, in a terminal and in the dashboard", async () => {
    const create = { width: 20, height: 10, channels: 3, background: "#08f" } as const;
    const image = await sharp({ create }).png().toBuffer();
    const env = { SERVICE_API_URL: vrs.baseUrl, SERVICE_API_KEY: vrs.key };
    const upload = async (name: string) => {
      const shots = join(folder, name);
      await mkdir(shots);
      const files = Array.from({ length: 1001 }, (_, index) => join(shots, `${name} ${index}.png`));
      await Promise.all(files.map(file => writeFile(file, image)));
      const { stdout } = await command(["upload", shots, "--project", name], { cwd: folder, env });
      return /\brun_\w+/.exec(stdout)?.[0] ?? assert.fail(stdout);
    };
    const [base, head] = [await upload("one"), await upload("other")];
    const { data } = comparisonView.parse(await read(`/v1/compare?base=${base}&head=${head}`));
    assert.equal(data.length, 2000, "the service sends the others with the cursor");
    const compared = await command(["compare", base, head, "--json"], { cwd: folder, env });
    const names = JSON.parse(compared.stdout).data.map(({ route }: { route: string }) => route);
    assert.equal(new Set(names).size, 2002);
    await page.goto(`${vrs.baseUrl}/compare?base=run:${base}&head=run:${head}`);
    const pages = page.getByRole("navigation", { name: "Compared pages" });
    await pages.getByText("other 1000").waitFor();
    assert.equal(await pages.getByRole("button").count(), 2002);
  });

  it("shows when a monitored page got each look, why, and the one before", async () => {
    await until(async () => (await looks()).status === "completed");
    const [first, second] = (await looks()).looks;
    assert.equal(first?.change, null);
    assert.equal(second?.change?.explanation?.causes[0]?.text.replaceAll("`", ""), CAUSE);
    const moment = await compare(`monitor:${monitorId}@${first?.checkId}`, `monitor:${monitorId}`);
    assert.equal(moment.counts.changed, 1);
    await page.goto(`${vrs.baseUrl}/monitors/${monitorId}`);
    const lapse = page.getByRole("region", { name: "Time-lapse" });
    await lapse.getByText(CAUSE).waitFor();
    await lapse.getByText("2 of 2 versions").waitFor();
    await lapse.getByRole("button", { name: "Play" }).click();
    await lapse.getByText("1 of 2 versions").waitFor();
    await lapse.getByRole("button", { name: "Pause" }).click();
    await lapse
      .getByRole("button", { name: /^\/ at 400 px, since/ })
      .last()
      .click();
    await lapse.getByText("2 of 2 versions").waitFor();
    await lapse.getByRole("link", { name: "Compare with previous version" }).click();
    await page.getByRole("navigation", { name: "Compared pages" }).getByText(CAUSE).waitFor();
    assert.deepEqual(visited.complaints, []);
  });
});
