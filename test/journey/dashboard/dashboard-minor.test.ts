import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { noiseView } from "../../../shared/contracts/noise/noise.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ROUTES = ["/", "/plans", "/team", "/blog", "/legal"];

/** Squares on a page of 1280 × 2000 px: edges of up to 160 px are within the default threshold of 1%. */
function showVersion(site: Site, edges: Record<string, number>): void {
  for (const route of ROUTES) {
    const edge = edges[route] ?? 0;
    site.pages.set(
      route,
      `<!doctype html><body style="margin:0;height:2000px"><p>Text</p>
       <div style="position:absolute;top:900px;width:${edge}px;height:${edge}px;background:#a33"></div>`,
    );
  }
}

describe("Minor changes in the dashboard", () => {
  let vrs: Vrs;
  let site: Site;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  let projects = 0;
  let runId: string;

  const open = async (path: string) => {
    await page.goto(`${vrs.baseUrl}${path}`);
    const requested = page.getByLabel("API key");
    await requested.or(page.locator(".run-facts, .shot-heading").first()).waitFor();
    if (!(await requested.isVisible())) return;
    await requested.fill(vrs.key);
    await page.getByRole("button", { name: "Sign in with API key" }).click();
    await page.locator(".run-facts, .shot-heading").first().waitFor();
  };
  const run = async (project: string) => {
    const { id } = await vrs
      .client()
      .submitRun({ url: site.url, routes: ROUTES, viewports: [1280], project });
    await vrs.client().waitForRun(id);
    return id;
  };
  /** Submits a run with squares that the run before didn't have. */
  const began = async (edges: Record<string, number>) => {
    projects += 1;
    const project = `shop-${projects}`;
    showVersion(site, {});
    await vrs.client().approve(await run(project));
    showVersion(site, edges);
    runId = await run(project);
  };
  const stateOf = async (route: string) => {
    const { data } = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${runId}`)).json());
    return data.find(shot => shot.route === route)?.review?.state ?? null;
  };
  const settle = (route: string, state: string | null) => until(async () => (await stateOf(route)) === state);
  const conclusion = async () => (await vrs.client().getRun(runId)).conclusion;
  const shown = (route: string) =>
    page
      .locator(".shot-heading h2")
      .filter({ hasText: new RegExp(`^${route} 1280 px$`) })
      .waitFor();
  const queue = async () =>
    (await page.locator(".queue-section h2, .queue-route").allInnerTexts()).map(text =>
      text.replaceAll(/\s+/g, " ").trim(),
    );

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [vrs, site, browser] = await Promise.all([Vrs.start(), Site.start(), launchBrowser()]);
    visited = await visit(browser, { viewport: { width: 1440, height: 900 } });
    page = visited.page;
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
    await vrs?.stop();
  });

  it("are a folded group with their number and size in a passed run", async () => {
    await began({ "/plans": 40, "/team": 150, "/blog": 2 });
    assert.equal(await conclusion(), "passed");
    await open(`/runs/${runId}`);
    const headings = page.locator(".group-head h2");
    await headings.first().waitFor();
    assert.deepEqual(await headings.allTextContents(), ["Minor changes 3", "Unchanged 2"]);
    assert.match(
      (await page.locator("h1").textContent()) ?? "",
      /^2 screenshots unchanged, 3 with minor changes$/,
    );
    assert.equal(await page.locator("article.card").count(), 0, "both are folded");
    await page.getByRole("button", { name: "Minor changes 3" }).click();
    const lines = page.locator("article .card-line");
    await lines.first().waitFor();
    const message = (await lines.allInnerTexts()).map(text => text.replaceAll(/\s+/g, " "));
    assert.match(message[0] ?? "", /^Minor change 1280 px 0\.8\d?\s?%, [\d,]+ pixels$/);
    assert.match(message[2] ?? "", /^Minor change 1280 px <\s?0\.01\s?%, \d pixels$/);
    await assertAccessible(page);
  });

  it("open with M from the run, are approved with A, and undone with U", async () => {
    await page.keyboard.press("m");
    await shown("/team");
    assert.deepEqual(await queue(), ["Minor changes 3", "/team", "/plans", "/blog"]);
    assert.equal(await page.locator(".review-bar output").textContent(), "3 of 3 left");
    await page.keyboard.press("a");
    await shown("/plans");
    await settle("/team", "approved");
    assert.equal(await conclusion(), "passed", "approving a minor change decides nothing");
    await page.keyboard.press("u");
    await shown("/team");
    await settle("/team", null);
    await page.keyboard.press("g");
    for (const route of ["/team", "/plans", "/blog"]) await settle(route, "approved");
    await page.locator(".said", { hasText: "All screenshots are reviewed." }).waitFor();
    assert.equal(await conclusion(), "passed");
    await page.keyboard.press("Escape");
    await page.locator("h1", { hasText: "3 with minor changes" }).waitFor();
    await page.locator(".run .detail", { hasText: "The minor changes are approved." }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Approve 3 minor changes" }).count(), 0);
  });

  it("are approved together by the button of their group, and become its baselines", async () => {
    await began({ "/plans": 40, "/team": 150 });
    await open(`/runs/${runId}`);
    await page.getByRole("link", { name: "Review 2 minor changes" }).waitFor();
    await page.getByRole("button", { name: "Approve 2 minor changes" }).click();
    await page.locator(".said", { hasText: "2 screenshots approved." }).waitFor();
    await settle("/plans", "approved");
    await settle("/team", "approved");
    const { counts } = await vrs.client().getRun(await run(`shop-${projects}`));
    assert.deepEqual([counts.unchanged, counts.minor], [5, 0]);
  });

  it("are rejected as noise, which rejects the run and scores the page until undone", async () => {
    const scored = async () => {
      const answer = await vrs.request(`/v1/noise?project=shop-${projects}`);
      return noiseView.parse(await answer.json()).pages.map(({ route }) => route);
    };
    await began({ "/plans": 40 });
    await open(`/review/${runId}`);
    await page.keyboard.press("m");
    await shown("/plans");
    await page.keyboard.press("r");
    await page.getByRole("button", { name: "Reject as noise" }).click();
    await page.getByText("Rejected as noise by").first().waitFor();
    await settle("/plans", "rejected");
    assert.equal(await conclusion(), "rejected");
    assert.deepEqual(await scored(), ["/plans"]);
    await page.keyboard.press("u");
    await settle("/plans", null);
    assert.equal(await conclusion(), "passed");
    assert.deepEqual(await scored(), []);
  });

  it("stay out of a review until M adds them", async () => {
    await began({ "/": 700, "/plans": 40, "/team": 150 });
    assert.equal(await conclusion(), "changed");
    await open(`/review/${runId}`);
    await shown("/");
    assert.deepEqual(await queue(), ["Changed 1", "/"]);
    await page.getByRole("button", { name: "Review 2 minor changes" }).waitFor();
    await page.keyboard.press("a");
    await settle("/", "approved");
    await page.locator(".said", { hasText: "All screenshots are reviewed." }).waitFor();
    assert.equal(await conclusion(), "approved");
    await page.keyboard.press("m");
    await shown("/team");
    assert.deepEqual(await queue(), ["Changed 1", "/", "Minor changes 2", "/team", "/plans"]);
    assert.equal(await page.locator(".review-bar output").textContent(), "2 of 3 left");
    await page.keyboard.press("r");
    await page.getByLabel("Reason").fill("Too large");
    await page.keyboard.press("Enter");
    await settle("/team", "rejected");
    assert.equal(await conclusion(), "rejected", "a rejection is a reviewer's word");
    await page.keyboard.press("u");
    await settle("/team", null);
    assert.equal(await conclusion(), "approved");
    await assertAccessible(page);
  });

  it("are added by the button under the queue on a phone, and listed in the key sheet", async () => {
    await using phone = await visit(browser, {
      viewport: { width: 375, height: 800 },
      hasTouch: true,
      storageState: await page.context().storageState(),
    });
    await phone.page.goto(`${vrs.baseUrl}/review/${runId}`);
    await phone.page.getByRole("button", { name: "Queue" }).click();
    await phone.page.getByRole("button", { name: "Review 2 minor changes" }).click();
    await phone.page.locator(".shot-heading h2", { hasText: "/team 1280 px" }).waitFor();
    await phone.page.locator(".queue").waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    await page.locator("dialog dt", { hasText: /^M$/ }).waitFor();
    assert.deepEqual(
      [...visited.complaints, ...phone.complaints].filter(text => !text.includes("401")),
      [],
    );
  });

  it("have a message if there are none", async () => {
    await began({});
    await open(`/runs/${runId}`);
    await page.locator("h1", { hasText: "Nothing changed" }).waitFor();
    await page.locator(".group-head").first().waitFor();
    await page.keyboard.press("m");
    await page.locator(".said", { hasText: "This run has no minor changes." }).waitFor();
    await open(`/review/${runId}`);
    await page.keyboard.press("m");
    await page.locator(".said", { hasText: "This run has no minor changes." }).waitFor();
  });
});
