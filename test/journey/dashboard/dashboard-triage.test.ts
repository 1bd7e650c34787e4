import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { monitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { runList } from "../../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";

const ROOT = join(import.meta.dirname, "../../..");
const KNOWN = ["/a", "/b", "/c", "/dot", "/still", "/shop/faq"];

/** Three pages with one header, a page with a tiny change, and one that is broken. All lack a font. */
function showVersion(site: Site, version: 1 | 2): void {
  const isNew = version === 2;
  const page = (body: string) =>
    `<!doctype html><style>@font-face { font-family: lost; src: url(/lost.woff2) } body { margin: 0; font-family: lost }</style>${body}<p style="height:900px">Text</p>`;
  const header = `<div style="height:60px;background:${isNew ? "#a33" : "#234"}"></div>`;
  for (const name of ["/a", "/b", "/c"]) site.pages.set(name, page(`${header}<p>${name}</p>`));
  const dot = isNew
    ? '<i style="position:absolute;left:300px;top:400px;width:3px;height:3px;background:#000"></i>'
    : "";
  site.pages.set("/dot", page(dot));
  site.pages.set("/still", page("<p>Still</p>"));
  site.pages.set("/fresh", page("<p>Fresh</p>"));
  site.pages.set(
    "/shop/faq",
    page(isNew ? '<div style="height:700px;background:#f00"></div>' : "<p>Answers</p>"),
  );
}

describe("Triage in the dashboard", () => {
  let vrs: Vrs;
  let site: Site;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  let firstId: string;
  let olderId: string;
  let runId: string;

  const at = (path: string) => `${vrs.baseUrl}/${path}`;
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const shotsOf = async (id: string) =>
    screenshotList.parse(await (await vrs.request(`/v1/screenshots/${id}`)).json()).data;
  const idOf = async (route: string, viewport: number) =>
    (await shotsOf(runId)).find(shot => shot.route === route && shot.viewport === viewport)?.id ??
    assert.fail(route);
  const decided = async () =>
    (await shotsOf(runId)).flatMap(({ review, route, viewport }) => (review ? [`${route} ${viewport}`] : []));
  const heading = () => page.locator(".shot-heading h2");
  const shown = (name: string) =>
    heading()
      .filter({ hasText: new RegExp(`^${name} px$`) })
      .waitFor();
  const openReview = async (search = "") => {
    await page.goto(at(`review/${runId}${search}`));
    await heading().waitFor();
  };
  const submit = async (routes: string[]) => {
    const { id } = await vrs.client().submitRun({
      ...{ url: site.url, routes, viewports: [400, 800], threshold: 0, project: "triage", partial: true },
    });
    await vrs.client().waitForRun(id);
    return id;
  };

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [vrs, site, browser] = await Promise.all([Vrs.start(), Site.start(), launchBrowser()]);
    showVersion(site, 1);
    firstId = await submit(KNOWN);
    await vrs.client().approve(firstId);
    showVersion(site, 2);
    olderId = await submit(["/a"]);
    runId = await submit([...KNOWN, "/fresh"]);
    visited = await visit(browser, { viewport: { width: 1440, height: 900 }, bypassCSP: true });
    page = visited.page;
    await page.goto(at("sign-in"));
    await page.getByLabel("API key").fill(vrs.key);
    await page.getByRole("button", { name: "Sign in with API key" }).click();
    await page.locator(".runs").waitFor();
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
    await vrs?.stop();
  });

  it("shows the key that the session uses as used, in aligned columns", async () => {
    await vrs.post("/v1/keys", { name: "a key with a much longer name", role: "viewer" });
    await page.goto(at("settings/keys"));
    const rows = page.locator(".keys > li");
    await until(async () => (await rows.count()) === 2);
    assert.equal(await rows.filter({ hasText: "Never used" }).count(), 1, "only the new one");
    const lefts = await page
      .locator(".keys > li > .quiet:nth-of-type(2)")
      .evaluateAll(cells => cells.map(cell => cell.getBoundingClientRect().left));
    assert.equal(new Set(lefts).size, 1, String(lefts));
  });

  it("asks for a threshold, and shows a refused URL once, without a variable of the operator", async () => {
    await page.goto(at("runs"));
    await page.getByRole("button", { name: "Start a run" }).click();
    const form = page.getByRole("dialog");
    assert.equal(await form.getByLabel("Threshold (%)").inputValue(), "1");
    await form.getByLabel("Site URL").fill("10.1.2.3/x");
    await form.getByRole("button", { name: "Start run" }).click();
    await form.getByRole("alert").first().waitFor();
    const texts = await form.getByRole("alert").allTextContents();
    assert.equal(texts.length, 1, texts.join(" | "));
    assert.match(texts[0] ?? "", /can't be rendered/);
    assert.doesNotMatch(texts[0] ?? "", /SERVICE_/);
  });

  it("accepts a local URL without a scheme", async () => {
    const form = page.getByRole("dialog");
    await form.getByLabel("Site URL").fill(site.url.replace("http://", ""));
    await form.getByLabel("Pages (one per line)").fill("/still");
    await form.getByLabel("Viewport widths (px)").fill("400");
    await form.getByRole("button", { name: "Start run" }).click();
    await page.waitForURL(/\/runs\/run_/);
    const { data } = runList.parse(await (await vrs.request("/v1/runs?limit=1")).json());
    assert.equal(data[0]?.url, site.url);
    await vrs.client().waitForRun(data[0].id);
  });

  it("says of a run with some new pages how many need review", async () => {
    await page.goto(at(`runs/${runId}`));
    await page.locator("article").first().waitFor();
    const detail = await page.locator(".run .detail").textContent();
    assert.equal(detail, "12 of 14 screenshots need review.");
  });

  it("shows a note on all screenshots once", async () => {
    const note = page.getByText(/Failed to load \/lost\.woff2/);
    await note.first().waitFor();
    assert.deepEqual(await note.allTextContents(), ["Failed to load /lost.woff2 (404), on 14 screenshots."]);
  });

  it("covers no change with its outline or the number of equal changes", async () => {
    const stack = page.locator("article", { has: page.locator(".times") }).first();
    const [badge, thumb] = [
      await stack.locator(".times").boundingBox(),
      await stack.locator(".thumb").boundingBox(),
    ];
    assert.ok(badge && thumb && badge.y >= thumb.y + thumb.height, JSON.stringify({ badge, thumb }));
    await openReview(`?shot=${await idOf("/dot", 800)}`);
    const rect = page.locator(".outlines rect").first();
    const zoom = Number(
      /scale\(([\d.]+)\)/.exec((await page.locator(".page-sheet").first().getAttribute("style")) ?? "")?.[1],
    );
    const box = await rect.boundingBox();
    assert.ok(box && box.width >= 3 * zoom + 6, JSON.stringify(box));
  });

  it("shows as many screenshots as a status counts, on the run's page and in the review", async () => {
    await page.goto(at(`runs/${runId}`));
    const cards = page.locator("article");
    await cards.first().waitFor();
    const chip = (name: string) => page.locator(".chips").first().getByRole("button", { name });
    await chip("Unchanged 2").click();
    await until(async () => (await cards.count()) === 2);
    assert.deepEqual(await page.locator("article .route").allTextContents(), ["/still", "/still"]);
    await openReview();
    await press("f");
    await press("f");
    await page.locator(".queue-filter summary").click();
    await page.locator(".queue-filter").getByRole("button", { name: "Unchanged 2" }).click();
    await until(async () => (await page.locator(".queue-shot").count()) === 2);
  });

  it("keeps the filter from the run's page to the review and back, without an entry for the review", async () => {
    await page.goto(at("monitors"));
    await page.goto(at(`runs/${runId}?viewport=400`));
    await page.getByRole("link", { name: "Review 6 screenshots" }).click();
    await heading().waitFor();
    await until(() => new URL(page.url()).searchParams.get("viewport") === "400");
    assert.ok((await page.locator(".queue-shot").allTextContents()).every(text => text.includes("400")));
    await press("Escape");
    await page.waitForURL(at(`runs/${runId}?viewport=400`));
    await page.goBack();
    await page.waitForURL(at("monitors"));
    await page.goto(at(`review/${runId}`));
    await heading().waitFor();
    await press("Escape");
    await page.waitForURL(new RegExp(`/runs/${runId}`));
  });

  it("orders the queue by size, route and component, and keeps that in the URL", async () => {
    await openReview();
    const names = () => page.locator(".queue-shot .queue-route").allTextContents();
    await page.getByLabel("Order").selectOption("size");
    await until(async () => (await names())[0] === "/shop/faq");
    await page.waitForURL(/order=size/);
    await page.reload();
    await heading().waitFor();
    await until(async () => (await names())[1] === "/shop/faq");
    await page.getByLabel("Order").selectOption("route");
    await page.locator(".queue-section h2", { hasText: "/shop/faq" }).waitFor();
    await page.getByLabel("Order").selectOption("component");
    await page.locator(".queue-section h2", { hasText: /^\/shop/ }).waitFor();
  });

  it("distinguishes the focus from the selection", async () => {
    await openReview();
    const current = page.locator('.queue-shot[aria-current="true"]');
    const bar = await current.evaluate(row => getComputedStyle(row).boxShadow);
    await page.locator('.queue-shot[aria-current="false"]').first().focus();
    await press("Tab");
    const ring = await page.evaluate(() => {
      const { outlineColor, outlineStyle } = getComputedStyle(document.activeElement ?? document.body);
      return { outlineColor, outlineStyle };
    });
    assert.equal(ring.outlineStyle, "solid");
    assert.ok(!bar.includes(ring.outlineColor), `${bar} and ${ring.outlineColor}`);
  });

  it("keeps its view while the stage is hidden", async () => {
    await openReview(`?shot=${await idOf("/shop/faq", 800)}`);
    const zoom = page.locator(".tools .zoom");
    const display = (value: string) =>
      page.locator(".stage-place").evaluate((stage, to) => {
        if (stage instanceof HTMLElement) stage.style.display = to;
      }, value);
    const frames = () =>
      page.evaluate(
        () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
    await frames();
    const before = await zoom.textContent();
    await display("none");
    await press("j", "2", "1");
    await frames();
    assert.equal(await zoom.textContent(), before);
    await display("");
    await frames();
    assert.equal(await zoom.textContent(), before);
  });

  it("leaves room for the pictures at 200% zoom, and in low windows", async () => {
    await openReview();
    for (const [width, height, least] of [
      [720, 450, 300],
      [1280, 600, 400],
    ] as const) {
      await page.setViewportSize({ width, height });
      await until(async () => ((await page.locator(".stage").boundingBox())?.height ?? 0) >= least);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("folds the queue with Q, and shows all keys without scrolling", async () => {
    await openReview();
    const queue = page.locator(".queue");
    assert.ok(await queue.isVisible());
    await press("q");
    await queue.waitFor({ state: "hidden" });
    await press("/");
    await queue.waitFor();
    await press("Escape");
    for (const [width, height] of [
      [1440, 900],
      [1280, 600],
    ] as const) {
      await page.setViewportSize({ width, height });
      await press("?");
      const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await sheet.waitFor();
      const hidden = await sheet.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
      assert.ok(hidden <= 1, `${hidden} px at ${width} × ${height}`);
      await press("Escape");
      await sheet.waitFor({ state: "detached" });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("opens the first match with Enter, decides nothing else, and says which width was decided", async () => {
    await openReview(`?shot=${await idOf("/a", 400)}`);
    await press("/");
    await page.keyboard.type("faq", { delay: 5 });
    await press("Enter");
    await heading().filter({ hasText: "/shop/faq" }).waitFor();
    const width = /(\d+) px/.exec((await heading().textContent()) ?? "")?.[1];
    await press("a");
    await page.getByText(`/shop/faq at ${width} px approved.`).waitFor();
    await until(async () => (await decided()).length === 1);
    const before = await decided();
    assert.deepEqual(before, [`/shop/faq ${width}`]);
    await openReview(`?shot=${await idOf("/a", 400)}&find=faq`);
    await shown("/a 400");
    await press("a");
    await page.getByText("This screenshot doesn't match the search.").waitFor();
    await press("r");
    assert.equal(await page.getByRole("dialog").count(), 0);
    assert.deepEqual(await decided(), before);
  });

  it("names the project and the pages in the activity", async () => {
    await page.goto(at("settings/team"));
    const entry = page.locator(".rows > li", { hasText: "approved screenshots in a run of triage" }).first();
    await entry.getByText(/\/shop\/faq at \d+ px/).waitFor();
    assert.doesNotMatch((await entry.textContent()) ?? "", /project:/);
  });

  it("lists a partly rejected run under “Needs review”, without runs that a newer one replaced", async () => {
    await vrs.post(`/v1/baselines/${runId}/reject`, {
      screenshots: [await idOf("/dot", 800)],
      reason: "as a test",
    });
    await page.goto(at("runs"));
    await page.getByLabel("Status").selectOption({ label: "Needs review" });
    await page.waitForURL(/needsReview=1/);
    const rows = page.locator(".run-row");
    await until(async () => (await rows.count()) === 2);
    const links = await page
      .locator(".run-open")
      .evaluateAll(all => all.map(link => link.getAttribute("href") ?? ""));
    assert.ok(links.includes(`runs/${runId}`), "rejected, with open screenshots");
    assert.ok(!links.includes(`runs/${olderId}`), "replaced by it");
  });

  it("approves and rejects several selected screenshots, and a range", async () => {
    await page.goto(at(`runs/${runId}`));
    const select = (name: string) => page.getByRole("checkbox", { name });
    const bar = page.getByRole("toolbar", { name: "Selected screenshots" });
    await select("Select /fresh at 400 px").check();
    await select("Select /fresh at 800 px").click({ modifiers: ["Shift"] });
    await bar.getByText("2 selected").waitFor();
    await bar.getByRole("button", { name: "Clear selection" }).click();
    await bar.waitFor({ state: "detached" });
    // A range includes the cards between its ends, also if both are clicked before the page is drawn again.
    await select("Select /a at 400 px and 5 more screenshots").waitFor();
    await page.evaluate(() => {
      const click = (name: string, shiftKey: boolean) =>
        document
          .querySelector(`[aria-label^="${name}"]`)
          ?.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey }));
      click("Select /a at 400 px", false);
      click("Select /fresh at 800 px", true);
    });
    await until(() => select("Select /fresh at 400 px").isChecked());
    await bar.getByRole("button", { name: "Clear selection" }).click();
    await bar.waitFor({ state: "detached" });
    // A change with one cause is one card, at all widths.
    await select("Select /a at 400 px and 5 more screenshots").check();
    await select("Select /fresh at 400 px").check();
    await bar.getByText("7 selected").waitFor();
    await bar.getByRole("button", { name: "Approve 7 screenshots" }).click();
    await page.getByText("7 screenshots approved.").waitFor();
    await select("Select /fresh at 800 px").check();
    await bar.getByRole("button", { name: "Reject 1 screenshot…" }).click();
    await page.getByLabel("Reason").fill("as a test");
    await page.keyboard.press("Enter");
    await page.getByText("/fresh at 800 px rejected.").waitFor();
    await until(async () => {
      const states = new Map(
        (await shotsOf(runId)).map(({ route, viewport, review }) => [`${route} ${viewport}`, review?.state]),
      );
      return (
        ["/a 400", "/a 800", "/b 800", "/c 400", "/fresh 400"].every(
          name => states.get(name) === "approved",
        ) && states.get("/fresh 800") === "rejected"
      );
    });
  });

  it("goes to runs, projects, pages and actions from the command palette", async () => {
    await page.goto(at("monitors"));
    await page.getByRole("heading", { name: "Monitors" }).waitFor();
    const open = async (text: string) => {
      await page.keyboard.press("Control+k");
      const field = page.getByRole("combobox", { name: "Find a run, project, page or action" });
      await field.fill(text);
      await page.getByRole("option").first().waitFor();
    };
    await open("baselines of tri");
    await assertAccessible(page, "dialog");
    await press("Enter");
    await page.waitForURL(at("baselines?project=triage"));
    await open("triage");
    const options = page.getByRole("option");
    const selected = page.getByRole("option", { selected: true });
    const first = await selected.textContent();
    await press("ArrowDown");
    assert.notEqual(await selected.textContent(), first);
    await press("ArrowUp");
    assert.equal(await selected.textContent(), first);
    assert.ok((await options.count()) > 3);
    await press("Escape");
    await open(runId);
    await press("Enter");
    await page.waitForURL(at(`runs/${runId}`));
    await page.getByRole("button", { name: /^Go to/ }).click();
    await page.getByRole("combobox").last().fill("start a run");
    await press("Enter");
    await page.getByRole("dialog", { name: "Start a run" }).waitFor();
    await press("Control+k");
    assert.equal(await page.getByRole("dialog").count(), 1, "another dialog stays");
    await press("Escape");
    await page.waitForURL(at("runs"));
    await page.goto(at(`review/${runId}`));
    await heading().waitFor();
    await open("usage");
    await press("Enter");
    await page.waitForURL(at("settings/usage"));
  });

  it("describes a change to screen readers, and opens its review from the report", async () => {
    const shot = await idOf("/dot", 800);
    await openReview(`?shot=${shot}`);
    await page
      .locator(".shot-line .hidden", { hasText: /^1 region changed, 0\.0\d*%$|^1 region changed, <0\.01%$/ })
      .waitFor({ state: "attached" });
    const { links } = await vrs.client().getRun(runId);
    await page.goto(links.report);
    await page
      .locator(".card", { hasText: "/dot" })
      .filter({ hasText: "800 px" })
      .getByRole("link", { name: /^Open in review/ })
      .click();
    await page.waitForURL(
      url => url.pathname === `/review/${runId}` && url.searchParams.get("shot") === shot,
    );
    await shown("/dot 800");
  });

  it("has no disabled tools for a page with a single approval", async () => {
    await page.goto(at("baselines/history?project=triage&route=%2Fstill&viewport=400"));
    await page.locator(".tools").waitFor();
    assert.equal(await page.locator(".tools button:visible:disabled").count(), 0);
    const height = (await page.locator(".tools").boundingBox())?.height ?? 0;
    assert.ok(height < 64, `${height} px`);
  });

  it("shows the URLs of a monitor's failed pages once, and a new monitor's chart from its creation", async () => {
    const created = await vrs.post("/v1/monitors", {
      ...{
        name: "Down",
        url: `http://localhost:${await freePort()}`,
        routes: ["/x", "/y"],
        viewports: [400],
        paused: true,
      },
    });
    assert.equal(created.status, 201, await created.clone().text());
    const { id } = monitorView.parse(await created.json());
    for (const checks of [1, 2]) {
      await vrs.request(`/v1/monitors/${id}/run`, { method: "POST" });
      await until(async () => {
        const { recentChecks, currentCheck } = monitorView.parse(
          await (await vrs.request(`/v1/monitors/${id}`)).json(),
        );
        return recentChecks.length === checks && currentCheck === null;
      });
    }
    await page.goto(at(`monitors/${id}`));
    const rows = page.locator(".check-row");
    await until(async () => (await rows.count()) === 2);
    await rows.nth(1).getByText("Same result as above").waitFor();
    assert.equal(await rows.nth(0).getByText("Same result as above").count(), 0);
  });

  it("caused no errors in the browser", () => {
    assert.deepEqual(
      visited.complaints.filter(text => !/40[14]|422|lost/.test(text)),
      [],
    );
    assert.notEqual(firstId, runId);
  });
});
