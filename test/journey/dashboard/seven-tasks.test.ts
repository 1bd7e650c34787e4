import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { incidentList } from "../../../shared/contracts/monitors/incidents.ts";
import { monitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { type Effort, Hands } from "../../support/drivers/browser/hands.ts";
import { launchBrowser, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** The page of the docs whose table has the efforts. */
const DOCS = join(ROOT, "docs/explanation/review-effort.md");
const WANTED = Array.from({ length: 60 }, (_, index) => `/wanted-${index + 1}`);
/** Faults of different kinds, before and after. */
const BROKEN = {
  "/broken-price": [
    "<b style='color:#000;font-size:40px'>10 €</b>",
    "<b style='color:#fff;font-size:40px'>10 €</b>",
  ],
  "/broken-form": ["<form><textarea rows=9 cols=60></textarea></form>", "<form></form>"],
  "/broken-menu": [
    "<nav><h2>Menu</h2></nav>",
    "<nav style='padding:80px;background:#c00'><h2>Menu</h2></nav>",
  ],
} as const;
const STILL = Array.from({ length: 9 }, (_, index) => `/still-${index + 1}`);
/** 74 pages. */
const ROUTES = [...WANTED, ...Object.keys(BROKEN), "/clock", "/logo", ...STILL];

/** Shows the pages as they were, or with a new header on most, three bugs, and another time. */
function showVersion(site: Site, isNew: boolean): void {
  const page = (body: string) =>
    `<!doctype html><style>body { margin: 0 } p { height: 500px }</style>${body}<p>Text</p>`;
  const box = (color: string, top: number) =>
    `<i style="position:absolute;top:${top}px;left:20px;width:200px;height:60px;background:${color}"></i>`;
  for (const route of WANTED) site.pages.set(route, page(box(isNew ? "#357" : "#234", 0)));
  for (const [route, [before, after]] of Object.entries(BROKEN))
    site.pages.set(route, page(isNew ? after : before));
  site.pages.set("/clock", page(box(isNew ? "#0aa" : "#999", 80)));
  for (const route of ["/logo", ...STILL]) site.pages.set(route, page(box("#555", 40)));
}

describe("Seven tasks in the dashboard", () => {
  let vrs: Vrs;
  let site: Site;
  let browser: Browser;
  let page: Page;
  let hands: Hands;
  let runId: string;
  const efforts: [task: string, effort: Effort][] = [];

  const at = (path: string) => `${vrs.baseUrl}${path}`;
  const done = (task: string) => efforts.push([task, hands.rest()]);
  const nav = (name: string) => page.getByRole("navigation").first().getByRole("link", { name, exact: true });
  const run = async () => {
    const client = vrs.client();
    const { id } = await client.submitRun({
      ...{ url: site.url, routes: ROUTES, viewports: [800], threshold: 0, project: "shop" },
    });
    await client.waitForRun(id);
    return id;
  };
  const view = () => vrs.client().getRun(runId);
  const openShots = async () =>
    screenshotList
      .parse(await (await vrs.request(`/v1/screenshots/${runId}?limit=100`)).json())
      .data.filter(({ status, review }) => status === "changed" && !review);

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [vrs, site, browser] = await Promise.all([Vrs.start(), Site.start(), launchBrowser()]);
    site.pages.set("/", "<!doctype html><h1>Shop</h1>");
    showVersion(site, false);
    ({ page } = await visit(browser, { viewport: { width: 1440, height: 900 }, bypassCSP: true }));
    page.setDefaultTimeout(20_000);
    hands = new Hands(page);
    await page.goto(at("/sign-in"));
    await page.getByLabel("API key").fill(vrs.key);
    await page.getByRole("button", { name: "Sign in with API key" }).click();
    await page.getByRole("heading", { name: "Start your first run" }).waitFor();
  });
  after(async () => {
    await browser?.close();
    await Promise.all([vrs?.stop(), site?.stop()]);
  });

  it("start the first run", async () => {
    await hands.click(page.getByLabel("Site URL"));
    await hands.type(site.url.replace("http://", ""));
    await hands.press("Enter");
    await page.locator(".card").first().waitFor();
    done("Start the first run");
  });

  it("discuss one change", async () => {
    await vrs.client().approve(await run());
    showVersion(site, true);
    runId = await run();
    const { counts } = await view();
    assert.deepEqual([counts.changed, counts.unchanged], [64, 10]);
    await page.goto(at(`/runs/${runId}`));
    await hands.click(page.locator("article", { hasText: "/broken-form" }).getByRole("link").first());
    await page.locator(".shot-heading", { hasText: "/broken-form" }).waitFor();
    await hands.press("t");
    await hands.type("Is this wanted?");
    await hands.press("Control+Enter");
    await page.locator(".comment-threads").getByText("Is this wanted?").waitFor();
    done("Discuss one change");
  });

  it("find three bugs among 63 changes, and reject them", async () => {
    await page.goto(at("/runs?project=shop"));
    await hands.click(page.locator(".run-row").first());
    for (const route of Object.keys(BROKEN)) {
      const card = page.locator("article", { hasText: route });
      await card.waitFor();
      assert.ok(await card.getByRole("link").first().isVisible());
      await hands.click(card.getByRole("checkbox"));
    }
    await hands.click(page.getByRole("button", { name: "Reject 3", exact: false }));
    await hands.type("It is broken");
    await hands.press("Enter");
    await until(async () => (await view()).conclusion === "rejected");
    done("Find and reject three bugs");
  });

  it("silence a flaky region", async () => {
    await hands.click(page.locator("article", { hasText: "/clock" }).getByRole("link").first());
    await page.locator(".stage .port img").first().waitFor({ state: "attached" });
    await hands.press("i");
    await page.getByText(/^In the last \d+ runs?, this rule would have hidden/).waitFor();
    await hands.press("Enter");
    await page.getByText(/^Rule saved/).waitFor();
    done("Silence a flaky region");
  });

  it("approve the 60 equal changes", async () => {
    await page.goto(at(`/runs/${runId}`));
    await hands.click(page.getByRole("link", { name: /^Review 60/ }));
    await page.locator(".shot-heading", { hasText: "/wanted" }).waitFor();
    await hands.press("g");
    await until(async () => (await openShots()).length === 0);
    done("Approve the other 60 changes");
  });

  it("find who approved a page's baseline", async () => {
    await page.goto(at("/runs"));
    await hands.click(nav("Baselines"));
    await hands.click(page.getByRole("link", { name: /shop/ }));
    await hands.click(page.getByPlaceholder("Find a route"));
    await hands.type("logo");
    await hands.click(page.getByRole("region", { name: "/logo" }).getByRole("link"));
    await page.getByText("bootstrap").first().waitFor();
    done("Find who approved a baseline");
  });

  it("acknowledge an incident", async () => {
    const made = await vrs.post("/v1/monitors", {
      ...{ name: "Shop", url: site.url, routes: ["/gone"], viewports: [400], intervalMinutes: 1440 },
    });
    const { id } = monitorView.parse(await made.json());
    await vrs.request(`/v1/monitors/${id}/run`, { method: "POST" });
    await until(async () => {
      const answer = await vrs.request("/v1/incidents");
      return incidentList.parse(await answer.json()).data.length > 0;
    });
    await page.goto(at("/runs"));
    await hands.click(nav("Monitors"));
    await hands.click(page.getByRole("link", { name: "Incidents" }));
    await hands.click(page.getByRole("list", { name: "Incidents" }).getByRole("link").first());
    await hands.click(page.getByRole("button", { name: "Acknowledge" }));
    await page.locator(".project", { hasText: "Acknowledged" }).waitFor();
    done("Acknowledge an incident");
  });

  it("take as much effort as the docs say", async () => {
    const rows = efforts.map(
      ([task, { clicks, keys, texts }]) => `| ${task} | ${clicks} | ${keys} | ${texts} |`,
    );
    const docs = await readFile(DOCS, "utf8");
    for (const row of rows)
      assert.ok(docs.includes(row), `The table of ${DOCS} must have:\n${rows.join("\n")}`);
  });
});
