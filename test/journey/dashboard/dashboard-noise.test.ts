import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { ignoreRegionList } from "../../../shared/contracts/noise/ignore-rules.ts";
import { noiseView } from "../../../shared/contracts/noise/noise.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { activityList } from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CLOCK = { x: 100, y: 50, width: 200, height: 100 };
const CLOCK_PIXELS = CLOCK.width * CLOCK.height;

/** A page with a part of another color each time. */
function showClock(site: Site, color: string): void {
  const { x, y, width, height } = CLOCK;
  const style = `position:absolute;left:${x}px;top:${y}px;width:${width}px;height:${height}px;background:${color}`;
  site.pages.set(
    "/",
    `<!doctype html><title>Home</title><body style="margin:0"><div style="${style}"></div><h1>Home</h1><p style="height:900px">Text</p>`,
  );
}

describe("Noise in the dashboard", () => {
  let vrs: Vrs;
  let site: Site;
  let browser: Browser;
  let visited: Visit;
  let page: Page;

  const at = (path: string) => `${vrs.baseUrl}${path}`;
  const noisePage = () => page.goto(at("/baselines/noise?project=shop"));
  const rulesPage = () => page.goto(at("/baselines/configuration?project=shop#ignore-rules"));
  const run = async (color: string) => {
    showClock(site, color);
    const client = vrs.client();
    const { id } = await client.submitRun({
      url: site.url,
      viewports: [1280],
      threshold: 0,
      project: "shop",
    });
    await client.waitForRun(id);
    return id;
  };
  const send = (method: string, path: string, body: object) =>
    vrs.request(path, {
      method,
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });
  const signIn = async (on: Page, key = vrs.key) => {
    await on.goto(at("/sign-in"));
    await on.getByLabel("API key").fill(key);
    await on.getByRole("button", { name: "Sign in with API key" }).click();
    await on.getByRole("heading", { name: "Runs" }).waitFor();
  };

  const rules = async () =>
    ignoreRegionList.parse(await (await vrs.request("/v1/ignore-regions?project=shop")).json()).data;
  /** Drags from one point of the screenshot to another. */
  const drag = async (on: Page, from: { x: number; y: number }, to: { x: number; y: number }) => {
    const box = await on.locator(".stage .port .page-sheet").first().boundingBox();
    assert.ok(box);
    const zoom = box.width / 1280;
    await on.mouse.move(box.x + from.x * zoom, box.y + from.y * zoom);
    await on.mouse.down();
    await on.mouse.move(box.x + to.x * zoom, box.y + to.y * zoom, { steps: 4 });
    await on.mouse.up();
  };

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [vrs, site, browser] = await Promise.all([Vrs.start(), Site.start(), launchBrowser()]);
    visited = await visit(browser, { viewport: { width: 1440, height: 900 }, bypassCSP: true });
    page = visited.page;
    await signIn(page);
  });
  after(async () => {
    await browser?.close();
    await Promise.all([vrs?.stop(), site?.stop()]);
  });

  it("rejects a change as noise, without a reason, and undoes it", async () => {
    await vrs.client().approve(await run("#223344"));
    const id = await run("#aa0000");
    await page.goto(at(`/review/${id}`));
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("button", { name: "Reject as noise" }).click();
    await page.getByText("Rejected as noise by").first().waitFor();
    await page.getByRole("button", { name: "Undo" }).first().click();
    await until(async () => (await vrs.client().getRun(id)).conclusion === "changed");
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("button", { name: "Reject as noise" }).click();
    await until(async () => (await vrs.client().getRun(id)).conclusion === "rejected");
    for (const color of ["#00aa00", "#0000aa"]) {
      const path = `/v1/baselines/${await run(color)}/reject`;
      assert.equal((await send("POST", path, { noise: true })).status, 200);
    }
  });

  it("shows the flakiest pages and the suggestion, with a link from the project's baselines", async () => {
    await page.goto(at("/baselines?project=shop"));
    await page.getByRole("link", { name: "View noise" }).click();
    await page.getByRole("heading", { name: "Noise", exact: true }).waitFor();
    const card = page.getByRole("article", { name: "/ at 1280 px" });
    await card.getByText("200 × 100 px at 100, 50").waitFor();
    await card.getByText("3 screenshots: rejected as noise").waitFor();
    await page
      .getByRole("list", { name: "Flakiest pages" })
      .getByText(/px · 3 of 4 captures/)
      .waitFor();
    await page.getByRole("img", { name: /Flake score of the last 30 days, 30\s?% at most/ }).waitFor();
    await assertAccessible(page);
  });

  it("offers viewers no decision", async () => {
    const made = await send("POST", "/v1/keys", { name: "reader", role: "viewer" });
    const { key } = createdKey.parse(await made.json());
    const reader = await visit(browser, { viewport: { width: 1440, height: 900 } });
    await signIn(reader.page, key);
    await reader.page.goto(at("/baselines/noise?project=shop"));
    await reader.page.getByRole("article").waitFor();
    assert.equal(await reader.page.getByRole("button", { name: "Add ignore region" }).count(), 0);
    assert(await reader.page.getByRole("checkbox", { name: /Repeat a run/ }).isDisabled());
    await reader.page.close();
  });

  it("accepts the suggestion: the next run passes, and its review shows what was hidden", async () => {
    await noisePage();
    await page.getByRole("button", { name: "Add ignore region" }).click();
    await page.getByText("Ignore region added. From the next run on").waitFor();
    await page.getByText("No suggestions yet.").waitFor();
    await page.getByRole("link", { name: "Manage ignore rules" }).click();
    const list = page.getByRole("list", { name: "Ignore rules" });
    await list.getByText("1280 px · 200 × 100 px at 100, 50").waitFor();

    const id = await run("#aaaa00");
    assert.equal((await vrs.client().getRun(id)).conclusion, "passed");
    await page.goto(at(`/runs/${id}`));
    await page
      .locator(".group-head")
      .getByRole("button", { name: /Unchanged/ })
      .click();
    const card = page.locator("article").first();
    await card.getByText(/flaky 30\s?%/).waitFor();
    await card.getByText("1 ignore region hides 20,000 changed pixels.").waitFor();
    await page.goto(at(`/review/${id}`));
    const hatched = page.locator(".ignored").first();
    await hatched.waitFor();
    assert.equal(await hatched.textContent(), `${CLOCK_PIXELS.toLocaleString("en-US")} px ignored`);
    const shown = await hatched.evaluate(({ style: { left, top, width, height } }: HTMLElement) => ({
      ...{ left, top, width, height },
    }));
    assert.deepEqual(shown, { left: "100px", top: "50px", width: "200px", height: "100px" });
    await page.keyboard.press("h");
    assert(!(await hatched.isVisible()));
    await page.keyboard.press("h");
    await page.keyboard.press("d");
    await page.locator(".with-mask .mask img").first().waitFor({ state: "attached" });
  });

  it("ends a rule with one click, undoes it, edits and deletes it, and logs all as activity", async () => {
    await rulesPage();
    await page.getByRole("button", { name: "End rule of / at 1280 px" }).click();
    await page.getByText("No ignore rules yet.").waitFor();
    assert.deepEqual(await rules(), []);
    assert.equal((await vrs.client().getRun(await run("#00aaaa"))).conclusion, "changed");
    await page.getByRole("button", { name: "Undo" }).click();
    const list = page.getByRole("list", { name: "Ignore rules" });
    await list.waitFor();
    assert.equal((await rules()).length, 1);

    await page.getByRole("button", { name: "Edit rule of / at 1280 px" }).click();
    await page.getByLabel("Name (optional)").fill("Clock in the header");
    await page.getByLabel("Applies to").selectOption("All pages");
    await page.getByLabel("Ends on (optional)").fill("2099-12-31");
    await assertAccessible(page);
    await page.route("**/v1/ignore-regions/*", route => route.abort());
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("Can't reach the service").waitFor();
    await page.unroute("**/v1/ignore-regions/*");
    await page.getByRole("button", { name: "Save changes" }).click();
    // The dialog's hint has the same words.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await list.getByText("Clock in the header").waitFor();
    const [changed] = await rules();
    assert.deepEqual([changed?.appliesTo, changed?.expiresAt], ["project", "2099-12-31T23:59:59.999Z"]);

    await page.getByRole("button", { name: "Export to service.config.ts" }).click();
    await page.getByText("{ x: 100, y: 50, width: 200, height: 100 },").waitFor();
    await page.getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "End rule of All pages" }).click();
    await page.getByRole("button", { name: "Show ended rules" }).click();
    await page.getByRole("button", { name: "Delete rule of All pages" }).click();
    await page.getByText("No rule has ended.").waitFor();
    const ended = page.getByRole("list", { name: "Ended rules" });
    await page.getByRole("button", { name: "Undo" }).click();
    await ended.getByText("Clock in the header").waitFor();
    assert.deepEqual(await rules(), [], "still ended");
    await page.getByRole("button", { name: "Delete rule of All pages" }).click();
    await page.getByText("No rule has ended.").waitFor();
    await until(async () => {
      const answer = await vrs.request(`/v1/teams/${DEFAULT_TEAM_ID}/activity`);
      const types = activityList.parse(await answer.json()).data.map(({ type }) => type);
      return ["region.accepted", "region.changed", "region.removed"].every(type =>
        types.some(each => each === type),
      );
    });
  });

  it("ignores a region that was drawn in the review, after a preview of the last runs", async () => {
    const id = await run("#770000");
    await page.goto(at(`/review/${id}`));
    await page.locator(".stage .port img").first().waitFor({ state: "attached" });
    await page.keyboard.press("i");
    const panel = page.getByRole("complementary", { name: "Ignore noise" });
    await panel
      .getByText(/^In the last \d runs, this rule would have hidden \d changed screenshots/)
      .waitFor();
    assert.equal(
      await panel.getByLabel("Width", { exact: true }).inputValue(),
      String(CLOCK.width),
      "the current change",
    );

    await panel.getByRole("button", { name: "Draw a region" }).click();
    await drag(page, { x: 120, y: 60 }, { x: 160, y: 90 });
    await panel.getByText(/this rule would have hidden no whole region/).waitFor();
    assert.equal(await page.locator(".stage .pin").first().isVisible(), true);
    await panel.getByRole("button", { name: "Draw a region" }).click();
    await drag(page, { x: 90, y: 40 }, { x: 310, y: 160 });
    await panel.getByText(/would have hidden [1-9]\d* changed screenshots/).waitFor();
    await panel
      .getByRole("link", { name: /hides it completely/ })
      .first()
      .waitFor();
    await assertAccessible(page);

    await panel.getByLabel("The region on this page at all widths").check();
    await panel.getByLabel("Name (optional)").fill("Clock");
    await panel.getByRole("button", { name: "Save rule" }).click();
    await page.getByText("Rule saved. 1 screenshot of this run is unchanged now.").waitFor();
    await page.locator(".ignored").first().waitFor();
    assert.equal((await vrs.client().getRun(id)).conclusion, "passed");
    const [rule] = await rules();
    assert.deepEqual([rule?.appliesTo, rule?.reason], ["widths", "Clock"]);

    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await until(async () => (await vrs.client().getRun(id)).conclusion === "changed");
    assert.deepEqual(await rules(), []);
  });

  it("leaves room for the picture and the button on a phone", async () => {
    const id = await run("#660000");
    const phone = await visit(browser, { viewport: { width: 390, height: 844 }, bypassCSP: true });
    await signIn(phone.page);
    await phone.page.goto(at(`/review/${id}`));
    await phone.page.getByRole("button", { name: "Ignore", exact: true }).click();
    const panel = phone.page.getByRole("complementary", { name: "Ignore noise" });
    const save = panel.getByRole("button", { name: "Save rule" });
    await save.waitFor();
    const box = await save.boundingBox();
    assert.ok(box && box.y + box.height <= 844, "the button is in view without scrolling");
    const stage = await phone.page.locator(".stage-frame").boundingBox();
    assert.ok(stage && stage.height >= 200, `${stage?.height} px`);
    assert.ok(!(await phone.page.getByRole("button", { name: "Approve", exact: true }).isVisible()));
    assert.equal(await phone.page.evaluate(() => document.documentElement.scrollWidth), 390);
    await assertAccessible(phone.page);
    await phone.page.close();
  });

  it("takes a region and a threshold from the keyboard alone", async () => {
    const id = await run("#007700");
    await page.goto(at(`/review/${id}`));
    await page.locator(".stage .port img").first().waitFor({ state: "attached" });
    await page.keyboard.press("i");
    const panel = page.getByRole("complementary", { name: "Ignore noise" });
    await panel.getByLabel("Height").fill("101");
    await panel.getByText(/would have hidden [1-9]\d* changed screenshots/).waitFor();
    await panel.getByLabel("Raise this page's threshold").focus();
    await page.keyboard.press("Space");
    const share = (100 * CLOCK_PIXELS) / (1280 * 800);
    const offered = Number(await panel.getByLabel("Threshold (%)").inputValue());
    assert.ok(offered >= share / 2 && offered < 5, `${offered}%`);
    await panel.getByText(/would have hidden [1-9]\d* changed screenshots/).waitFor();
    await panel.getByRole("button", { name: "Save rule" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Rule saved. 1 screenshot of this run is unchanged now.").waitFor();
    assert.equal((await vrs.client().getRun(await run("#003300"))).conclusion, "passed");
    const [rule] = await rules();
    assert.deepEqual([rule?.threshold, rule?.width], [offered / 100, 0]);
    assert.equal((await vrs.request(`/v1/ignore-regions/${rule?.id}`, { method: "DELETE" })).status, 204);
  });

  it("captures a run again from its page, and opens the new run", async () => {
    const id = await run("#005500");
    await page.goto(at(`/runs/${id}`));
    const more = page.getByRole("button", { name: "More", exact: true });
    await more.press("Enter");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.getByRole("menuitem", { name: "Re-run", exact: true }).waitFor();
    assert.equal(await focused(), "Re-run");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focused(), "Revoke links…");
    await page.keyboard.press("Escape");
    assert.equal(await focused(), "More");
    assert.equal(await page.getByRole("menu").count(), 0);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("A new run was started.").waitFor();
    const again = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    assert.notEqual(again, id);
    await vrs.client().waitForRun(again);
    assert.equal((await vrs.client().getRun(again)).counts.changed, 1);
  });

  it("repeats a run when null reruns are on, and shows the false-alarm rate", async () => {
    await noisePage();
    const box = page.getByRole("checkbox", { name: /Repeat a run/ });
    await box.waitFor();
    const staysChecked = await box.evaluate((input: HTMLInputElement) => {
      input.click();
      return input.checked;
    });
    assert.ok(staysChecked, "it doesn't fall back until the service answers");
    const noise = async () =>
      noiseView.parse(await (await vrs.request("/v1/noise?project=shop")).json()).nullReruns;
    await until(async () => (await noise()).enabled);
    await run("#123456");
    await until(async () => (await noise()).compared > 0);
    await noisePage();
    await page.getByText("0 false alarms in 1 screenshot").first().waitFor();
    await page.getByRole("link", { name: "Open rerun" }).click();
    await page.getByText("Null rerun: no false alarms").waitFor();
    assert.equal(await page.getByRole("button", { name: "Approve run" }).count(), 0);
    await assertAccessible(page);
  });

  it("refuses an invalid region", async () => {
    const region = { project: "shop", route: "/", viewport: 1280, x: 0, y: 0, width: 10, height: 10 };
    for (const wrong of [
      { ...region, x: -1 },
      { ...region, width: 0 },
      { ...region, x: 17_275 },
      { ...region, y: 79_995 },
      { ...region, x: 1.5 },
      { ...region, route: "//evil.example" },
      { ...region, reason: "" },
      { ...region, more: 1 },
      { ...region, project: "" },
    ])
      assert.equal((await send("POST", "/v1/ignore-regions", wrong)).status, 422, JSON.stringify(wrong));
    assert.equal((await send("POST", "/v1/baselines/run_x/reject", { noise: false })).status, 422);
    assert.equal((await vrs.request("/v1/noise")).status, 422);
    assert.equal((await vrs.request("/v1/ignore-regions/ign_x", { method: "DELETE" })).status, 404);
  });
});
