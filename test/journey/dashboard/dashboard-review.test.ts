import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { sessionList, sessionView } from "../../../shared/contracts/teams/sessions.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { decisionsSaved } from "../../support/drivers/browser/dashboard.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";
import { TcpProxy } from "../../support/servers/http/tcp-proxy.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ROUTES = ["/a", "/b", "/tall", "/still"];

/** Two pages with one header, one whose footer changes too and grows, and one that doesn't change. */
function showVersion(site: Site, version: 1 | 2): void {
  const isNew = version === 2;
  const page = (head: string, foot = "", height = 1500) =>
    `<!doctype html><body style="margin:0">${head}<p style="height:${height}px">Text</p>${foot}`;
  const header = `<div style="height:60px;background:${isNew ? "#a33" : "#234"}"></div>`;
  site.pages.set("/a", page(header));
  site.pages.set("/b", page(header, "<p>b</p>"));
  const head = `<p style="margin-top:900px">${isNew ? "New" : "Old"} head</p>`;
  site.pages.set("/tall", page(head, `<h2>${isNew ? "New" : "Old"} foot</h2>`, isNew ? 3100 : 2900));
  site.pages.set("/still", page(""));
}

describe("The review", () => {
  let vrs: Vrs;
  let site: Site;
  let proxy: TcpProxy;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  /** Another reviewer's browser, connected through the proxy. */
  let second: Visit;
  let runId: string;
  let ids: Map<string, string>;

  const at = (path: string) => `${vrs.baseUrl}${path}`;
  const idOf = (name: string) => ids.get(name) ?? assert.fail(name);
  const signIn = async (on: Page, key = vrs.key) => {
    await on.getByLabel("API key").fill(key);
    await on.getByRole("button", { name: "Sign in with API key" }).click();
  };
  const openReview = async (on: Page, base: string, shot: string, mode = "side") => {
    await decisionsSaved(on);
    await on.goto(`${base}/review/${runId}?shot=${idOf(shot)}&mode=${mode}`);
    const requested = on.getByLabel("API key");
    await requested.or(on.locator(".shot-heading")).first().waitFor();
    if (await requested.isVisible()) await signIn(on);
    await shown(on, shot);
  };
  const shown = (on: Page, shot: string) =>
    on
      .locator(".shot-heading h2")
      .filter({ hasText: new RegExp(`^${shot} px$`) })
      .waitFor();
  /** Requests before sign-in get a 401. */
  const strange = ({ complaints }: Visit) => complaints.filter(text => !text.includes("401"));
  const standing = (on: Page) => on.locator(".shot-line .status");
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const stateOf = async (shot: string) => {
    const { data } = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${runId}`)).json());
    return data.find(({ id }) => id === idOf(shot))?.review?.state ?? null;
  };
  const settle = async (shot: string, state: string | null) =>
    until(async () => (await stateOf(shot)) === state);
  const byOther = (verdict: "approve" | "reject" | "dismiss", shot: string) =>
    vrs.post(`/v1/baselines/${runId}/${verdict}`, {
      screenshots: [idOf(shot)],
      ...(verdict !== "approve" && { reason: "as a test" }),
    });
  const transform = () =>
    page
      .locator(".page-sheet")
      .first()
      .evaluate(sheet => sheet.getAttribute("style"));

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [vrs, site, browser] = await Promise.all([Vrs.start(), Site.start(), launchBrowser()]);
    proxy = await TcpProxy.start(vrs.port);
    const submit = async () => {
      const body = { url: site.url, routes: ROUTES, viewports: [375, 1280], threshold: 0, project: "shop" };
      const { id } = await vrs.client().submitRun(body);
      await vrs.client().waitForRun(id);
      return id;
    };
    showVersion(site, 1);
    await vrs.client().approve(await submit());
    showVersion(site, 2);
    runId = await submit();
    const { data } = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${runId}`)).json());
    ids = new Map(data.map(shot => [`${shot.route} ${shot.viewport}`, shot.id]));
    const key = createdKey.parse(
      await (await vrs.post("/v1/keys", { name: "second", role: "reviewer" })).json(),
    );
    second = await visit(browser);
    await second.page.goto(`http://localhost:${proxy.port}/review/${runId}?shot=${idOf("/tall 1280")}`);
    await signIn(second.page, key.key);
    await shown(second.page, "/tall 1280");
    visited = await visit(browser, { viewport: { width: 1440, height: 900 } });
    page = visited.page;
    await openReview(page, vrs.baseUrl, "/tall 1280");
  });
  after(async () => {
    await browser?.close();
    await Promise.all([proxy?.stop(), site?.stop()]);
    await vrs?.stop();
  });

  it("opens at the first changed region, and cycles through the others", async () => {
    const inView = (index: number) =>
      page
        .locator(".pane")
        .first()
        .evaluate((pane, at) => {
          const box = pane.querySelectorAll(".outlines rect")[at]?.getBoundingClientRect();
          const port = pane.querySelector(".port")?.getBoundingClientRect();
          return box !== undefined && port !== undefined && box.top >= port.top && box.top < port.bottom;
        }, index);
    const place = page.locator(".tools output").first();
    const [, regions = ""] = /1\/(\d+)/.exec((await place.textContent()) ?? "") ?? [];
    assert.ok(Number(regions) >= 2, "the head and the foot");
    assert.ok(await inView(0));
    assert.ok(!(await inView(Number(regions) - 1)));
    await press("k");
    await place.getByText(`region ${regions}/${regions}`).waitFor();
    assert.ok(await inView(Number(regions) - 1));
    await press("j");
    await place.getByText(`region 1/${regions}`).waitFor();
    assert.ok(await inView(0));
    // As if the page's styles arrived after its screenshot.
    const display = (value: string) =>
      page.locator(".stage-place").evaluate((stage, to) => {
        if (stage instanceof HTMLElement) stage.style.display = to;
      }, value);
    await display("none");
    await press("j");
    await place.getByText(`region 2/${regions}`).waitFor();
    await press("k");
    await place.getByText(`region 1/${regions}`).waitFor();
    await display("");
    await until(() => inView(0));
  });

  it("zooms and moves both sides together by key, wheel, drag and minimap, and keeps the view across modes", async () => {
    const zoom = page.locator(".zoom");
    await press("0");
    await zoom.getByText("100%").waitFor();
    await press("=", "-", "+");
    await zoom.getByText("125%").waitFor();
    const before = await transform();
    await press("Shift+ArrowDown", "Shift+ArrowRight");
    const moved = await transform();
    assert.notEqual(moved, before);
    const both = await page
      .locator(".page-sheet")
      .evaluateAll(sheets => sheets.map(sheet => sheet.getAttribute("style")));
    assert.equal(new Set(both).size, 1, "both sides are one view");
    const scale = /scale\([^)]*\)/;
    for (const mode of ["2", "4", "5", "6", "1"]) {
      await press(mode);
      assert.equal(scale.exec((await transform()) ?? "")?.[0], "scale(1.25)", mode);
    }
    const port = page.locator(".port").first();
    await port.hover();
    await page.mouse.wheel(0, 200);
    await until(async () => (await transform()) !== moved);
    const wheeled = await transform();
    await page.mouse.down();
    await page.mouse.move(400, 500);
    await page.mouse.up();
    assert.notEqual(await transform(), wheeled);
    const dragged = await transform();
    await page.locator(".minimap").click({ position: { x: 20, y: 20 } });
    assert.notEqual(await transform(), dragged);
    await press(" ");
    await until(async () => scale.exec((await transform()) ?? "")?.[0] !== "scale(1.25)");
    // A click leaves Space to the page.
    await page.getByRole("button", { name: "Zoom in" }).click();
    const clicked = await transform();
    await press(" ");
    assert.notEqual(await transform(), clicked);
  });

  it("hatches the area that one side lacks", async () => {
    const missing = (side: string) => page.locator(`.layer[data-side="${side}"] .missing`).first();
    assert.match((await missing("baseline").getAttribute("style")) ?? "", /height: 200px/);
    assert.equal(await page.locator('.layer[data-side="current"] .missing').count(), 0);
    assert.match(
      await missing("baseline").evaluate(strip => getComputedStyle(strip).backgroundImage),
      /gradient/,
    );
  });

  it("shows the mask over either side in the chosen color and opacity, and stores them in the browser", async () => {
    const tint = page.locator(".tint").first();
    const look = () =>
      tint.evaluate(element => {
        const { backgroundColor, maskImage } = getComputedStyle(element);
        const layer = element.closest(".mask");
        return {
          backgroundColor,
          hasImage: maskImage.includes("/v1/images/"),
          opacity: layer && getComputedStyle(layer).opacity,
        };
      });
    assert.ok(!(await tint.isVisible()));
    await press("d");
    assert.deepEqual(await look(), { backgroundColor: "rgb(255, 0, 255)", hasImage: true, opacity: "1" });
    assert.equal(await page.locator(".tint:visible").count(), 2);
    await page.getByLabel("Mask color").fill("#00aa00");
    await page.getByLabel("Mask opacity").fill("40");
    const chosen = { backgroundColor: "rgb(0, 170, 0)", hasImage: true, opacity: "0.4" };
    assert.deepEqual(await look(), chosen);
    for (const [mode, panes] of [
      ["4", 1],
      ["5", 1],
      ["2", 1],
      ["1", 2],
    ] as const) {
      await press(mode);
      assert.equal(await page.locator(".tint:visible").count(), panes, mode);
    }
    await page.reload();
    await shown(page, "/tall 1280");
    await press("d");
    assert.deepEqual(await look(), chosen);
    await press("d");
    const outline = page.locator(".outlines").first();
    assert.ok(await outline.isVisible());
    await press("h");
    assert.ok(!(await outline.isVisible()));
    await press("h");
  });

  it("blends, swipes and blinks at the chosen speed", async () => {
    const layer = page.locator('.layer[data-side="current"]').first();
    const style = () => layer.getAttribute("style");
    await press("3");
    const half = await style();
    assert.match(half ?? "", /opacity: 0\.5/);
    await press("ArrowRight");
    assert.match((await style()) ?? "", /opacity: 0\.55/);
    await page.getByLabel("Opacity").fill("20");
    assert.match((await style()) ?? "", /opacity: 0\.2/);
    await press("2", "ArrowLeft");
    assert.match((await style()) ?? "", /clip-path: inset\(/);
    await press("6");
    await page.getByLabel("Interval").fill("350");
    const side = () => page.locator(".stage").getAttribute("data-blink");
    const first = await side();
    await until(async () => (await side()) !== first);
    await until(async () => (await side()) === first);
    // Until then, the slider has the arrow keys.
    await page.getByLabel("Interval").blur();
    await press("ArrowLeft");
    assert.equal(await page.locator(".stage").getAttribute("data-mode"), "baseline");
    await press("ArrowRight");
    assert.equal(await page.locator(".stage").getAttribute("data-mode"), "new");
    await press("1");
  });

  it("steps to other screenshots and widths, searches, copies a link, and returns", async () => {
    await press("v");
    await shown(page, "/tall 375");
    await press("v");
    await shown(page, "/tall 1280");
    const rows = page.locator(".queue-shot");
    const inQuestion = await rows.count();
    await press("f");
    await until(async () => (await rows.count()) > inQuestion);
    await press("f");
    await until(async () => (await rows.count()) === inQuestion);
    const current = () => page.locator('.queue-shot[aria-current="true"]').textContent();
    const here = await current();
    await press("ArrowUp");
    await until(async () => (await current()) !== here);
    await press("ArrowDown");
    await until(async () => (await current()) === here);
    await press("/");
    await page.keyboard.type("a", { delay: 5 });
    assert.equal(
      await page.getByLabel("Find a route").inputValue(),
      "a",
      "keys are off where somebody writes",
    );
    await page.getByLabel("Find a route").fill("");
    await press("Escape", "?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await press("a", "v", "Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await shown(page, "/tall 1280");
    await press("c");
    await page.getByText(/Link copied|blocked access to the clipboard/).waitFor();
    await until(() => page.url().includes(idOf("/tall 1280")));
    await press("Escape");
    await page.waitForURL(at(`/runs/${runId}`));
    await openReview(page, vrs.baseUrl, "/tall 1280");
  });

  it("stays at an undecided screenshot when another group is approved by its button", async () => {
    await page
      .getByRole("button", { name: /^Approve group / })
      .first()
      .click();
    await page.getByText(/\d screenshots approved\./).waitFor();
    await shown(page, "/tall 1280");
    await press("u");
    await page.getByText("Decision undone.").waitFor();
    for (const shot of ["/a 375", "/a 1280"]) await settle(shot, null);
    await openInQueue("/tall 1280");
  });

  it("shows another reviewer's decision at once, and after a lost connection", async () => {
    const other = second.page;
    // With the stream, it polls only once a minute.
    await until(async () => (await other.evaluate(() => performance.now())) > 7_000);
    await byOther("reject", "/tall 1280");
    await standing(other).getByText("rejected").waitFor({ timeout: 20_000 });
    proxy.cut();
    await byOther("dismiss", "/tall 1280");
    proxy.heal();
    await standing(other).getByText("changed").waitFor({ timeout: 20_000 });
    await byOther("approve", "/tall 1280");
    await standing(other).getByText("approved").waitFor({ timeout: 20_000 });
    await standing(page).getByText("approved").waitFor({ timeout: 20_000 });
    await byOther("dismiss", "/tall 1280");
    await standing(page).getByText("changed").waitFor({ timeout: 20_000 });
  });

  it("shows decisions made during a lost connection, even if the run's state is the same", async () => {
    const other = second.page;
    await standing(other).getByText("changed").waitFor({ timeout: 20_000 });
    // Its screenshots load a moment after the run, so a decision may be in between.
    const before = await (await vrs.request(`/v1/runs/${runId}`)).text();
    await other.route(`**/v1/runs/${runId}`, route =>
      route.fulfill({ body: before, contentType: "application/json" }),
    );
    await byOther("reject", "/tall 1280");
    await standing(other).getByText("rejected").waitFor({ timeout: 20_000 });
    proxy.cut();
    await byOther("dismiss", "/tall 1280");
    await other.unroute(`**/v1/runs/${runId}`);
    proxy.heal();
    await standing(other).getByText("changed").waitFor({ timeout: 20_000 });
  });

  it("keeps decisions while the service is unreachable, shows that, and saves them later", async () => {
    await openReview(page, vrs.baseUrl, "/tall 1280");
    await vrs.terminate();
    await press("a");
    await page.getByText("1 decision not saved yet.").waitFor();
    await openInQueue("/tall 375");
    await press("r");
    await page.getByLabel("Reason").fill("too tall");
    await press("Enter");
    await page.getByText("2 decisions not saved yet.").waitFor();
    await openInQueue("/tall 1280");
    await standing(page).getByText("approved").waitFor();
    // Also if the page is closed first.
    await vrs.start();
    await page.getByText("not saved yet").waitFor({ state: "detached", timeout: 40_000 });
    await settle("/tall 1280", "approved");
    await settle("/tall 375", "rejected");
    await press("u", "u");
    await settle("/tall 375", null);
    await settle("/tall 1280", null);
    visited.complaints.splice(0);
  });
  const openInQueue = async (shot: string) => {
    const [route = "", width = ""] = shot.split(" ");
    await page.locator(".queue-shot").filter({ hasText: route }).filter({ hasText: width }).click();
    await shown(page, shot);
  };

  it("opens the sign-in page when the session ends, and saves the decision afterward", async () => {
    await openInQueue("/tall 1280");
    // A poll would show it before the key is pressed.
    await page.route("**/v1/**", route =>
      route.request().method() === "GET" ? route.abort() : route.continue(),
    );
    const sessions = sessionList.parse(await (await vrs.request("/v1/sessions")).json());
    for (const { id } of sessions.data) await vrs.request(`/v1/sessions/${id}`, { method: "DELETE" });
    await press("a");
    await page.waitForURL(/sign-in\?next=review/);
    await page.unroute("**/v1/**");
    assert.equal(await stateOf("/tall 1280"), null);
    await signIn(page);
    await page.waitForURL(/\/review\//);
    await settle("/tall 1280", "approved");
    await standing(page).first().waitFor();
    visited.complaints.splice(0);
  });

  it("explains a refused decision, shows it as open, and retries on request", async () => {
    const allow = (allowSelfApproval: boolean) =>
      vrs.request(`/v1/teams/${DEFAULT_TEAM_ID}`, {
        method: "PATCH",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ allowSelfApproval }),
      });
    await openReview(page, vrs.baseUrl, "/a 1280");
    assert.equal((await allow(false)).status, 200);
    await press("g");
    const refusal = page.locator(".unsaved .banner");
    await refusal.getByText(/You submitted this run/).waitFor();
    assert.equal(await stateOf("/a 1280"), null);
    await openInQueue("/a 1280");
    await standing(page).getByText("changed").waitFor();
    await press("u");
    await page.getByText("Nothing to undo.").or(page.getByText("Decision undone.")).waitFor();
    assert.equal((await allow(true)).status, 200);
    await refusal.getByRole("button", { name: "Retry" }).click();
    await settle("/a 1280", "approved");
    await settle("/b 1280", "approved");
    assert.equal(await refusal.count(), 0);

    // Also if the page can't load the state after the refusal.
    await openInQueue("/tall 375");
    assert.equal((await allow(false)).status, 200);
    await page.route("**/v1/screenshots/**", route => route.abort());
    await press("a");
    await refusal.getByText(/You submitted this run/).waitFor();
    await openInQueue("/tall 375");
    await standing(page).getByText("approved").waitFor();
    assert.equal((await allow(true)).status, 200);
    await refusal.getByRole("button", { name: "Retry" }).click();
    await settle("/tall 375", "approved");
    await page.unroute("**/v1/screenshots/**");
    await byOther("dismiss", "/tall 375");
    await settle("/tall 375", null);
    visited.complaints.splice(0);
  });

  it("works by touch", async () => {
    await byOther("dismiss", "/b 1280");
    await using phone = await visit(browser, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await openReview(phone.page, vrs.baseUrl, "/b 1280");
    const approve = phone.page.getByRole("button", { name: "Approve" });
    const box = await approve.boundingBox();
    assert.ok(box && box.height >= 44 && box.width >= 88, JSON.stringify(box));
    const before = await phone.page.locator(".shot-heading h2").textContent();
    const swipe = (from: number, to: number) =>
      phone.page
        .locator(".port")
        .first()
        .evaluate(
          (port, [begin, end]) => {
            const touch = (x: number) => new Touch({ identifier: 1, target: port, clientX: x, clientY: 300 });
            const tell = (type: string, x: number, touches: Touch[]) =>
              port.dispatchEvent(
                new TouchEvent(type, { bubbles: true, touches, changedTouches: [touch(x)] }),
              );
            tell("touchstart", begin, [touch(begin)]);
            tell("touchend", end, []);
          },
          [from, to] as const,
        );
    const title = () => phone.page.locator(".shot-heading h2").textContent();
    await swipe(80, 250);
    await until(async () => (await title()) !== before);
    await swipe(250, 80);
    await until(async () => (await title()) === before);
    await approve.tap();
    await settle("/b 1280", "approved");
    const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${wide} px`);
  });

  it("has no serious accessibility violation in its dialogs, sliders and messages, at every width", async () => {
    await using reader = await visit(browser, { viewport: { width: 1440, height: 800 }, bypassCSP: true });
    await openReview(reader.page, vrs.baseUrl, "/tall 1280", "overlay");
    await reader.page.keyboard.press("d");
    for (const width of [1440, 768, 360]) {
      await reader.page.setViewportSize({ width, height: 800 });
      await assertAccessible(reader.page);
      for (const [key, name] of [
        ["?", "Keyboard shortcuts"],
        ["r", "Reject this screenshot"],
      ] as const) {
        await reader.page.keyboard.press(key);
        await reader.page.getByRole("dialog", { name }).waitFor();
        await assertAccessible(reader.page, "dialog");
        await reader.page.keyboard.press("Escape");
        await reader.page.getByRole("dialog").waitFor({ state: "detached" });
      }
    }
    assert.deepEqual(strange(reader), []);
  });

  it("proves the cause by key, and shows the result without opening a panel", async () => {
    await openReview(page, vrs.baseUrl, "/b 1280");
    await press("p");
    const result = page.locator(".shot-remarks li").filter({ hasText: "roven" });
    await result.waitFor();
    assert.match(await result.innerText(), /^Proven: with the baseline's .*, the difference vanishes\.$/);
  });

  it("links to a newer run", async () => {
    const body = { url: site.url, routes: ["/still"], viewports: [375], project: "shop" };
    const { id } = await vrs.client().submitRun(body);
    const banner = page.locator(".banner", { hasText: "A newer run" });
    await banner.waitFor({ timeout: 20_000 });
    await banner.getByRole("link").click();
    await page.waitForURL(new RegExp(`/review/${id}`));
    await page.locator(".shot-heading").waitFor({ timeout: 40_000 });
  });

  describe("of a page with states and environments", () => {
    const STATE = `menu ${"open ".repeat(13)}at last`;
    const ENVIRONMENT = `forced-${"colors-".repeat(4)}light`;
    const LONG_ROUTE = `/a?${"query=long&".repeat(12)}end=1`;
    let id: string;

    const decided = async () => {
      const { data } = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${id}`)).json());
      return data.filter(({ review }) => review !== null).map(pageName);
    };
    /** Returns the texts that are cut off or lie outside of their line. */
    const overflowing = (on: Page, lines: string) =>
      on.locator(lines).evaluateAll(all =>
        all.flatMap(line => {
          const limit = Math.min(line.getBoundingClientRect().right, innerWidth) + 1;
          return [...line.querySelectorAll("span")]
            .filter(each => each.getClientRects().length > 0 && each.getBoundingClientRect().right > limit)
            .map(each => `${each.className}: ${each.textContent}`);
        }),
      );

    before(async () => {
      const started = await vrs.client().submitRun({
        ...{ url: site.url, routes: ["/b", LONG_ROUTE], viewports: [375, 1280], project: "reach" },
        options: {
          environments: { dark: { colorScheme: "dark" }, [ENVIRONMENT]: { locale: "de-DE" } },
          perRoute: {
            [LONG_ROUTE]: { steps: [{ action: "screenshot" }, { action: "screenshot", name: STATE }] },
          },
        },
      });
      id = started.id;
      await vrs.client().waitForRun(id);
    });

    it("filters by environment in the URL, and decides nothing outside the filter", async () => {
      await page.goto(at(`/review/${id}`));
      await page.locator(".queue-filter summary", { hasText: "Filter" }).click();
      await page.getByRole("button", { name: "dark", exact: true }).click();
      await page.waitForURL(url => url.searchParams.get("environment") === "dark");
      const rows = page.locator(".queue-shot");
      await until(async () => (await rows.count()) === 6);
      await page.getByRole("button", { name: "1280 px", exact: true }).click();
      await page.waitForURL(url => url.searchParams.get("viewport") === "1280");
      await until(async () => (await rows.count()) === 3);
      for (const text of await rows.allTextContents()) assert.match(text, /\(dark\)1280$/);
      await page.reload();
      await until(async () => (await rows.count()) === 3);
      await page.locator(".queue-filter summary", { hasText: "Filter: 1280 px, dark" }).waitFor();
      await press("v");
      await page.getByText("The filter shows only one width of this page.").waitFor();
      for (const left of [2, 1, 0]) {
        await press("a");
        await until(
          async () => (await page.locator('.queue-shot[data-decided="true"]').count()) === 3 - left,
        );
      }
      await page.getByText(/Outside the filter, \d+ screenshots need review\./).waitFor();
      await press("a");
      await until(async () => (await decided()).length === 3);
      assert.ok(
        (await decided()).every(name => name.endsWith("(dark)")),
        String(await decided()),
      );
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await page.waitForURL(url => !url.searchParams.has("environment"));
      await until(async () => (await rows.count()) > 6);
    });

    it("shows the state, the environment and the width of long names at every width", async () => {
      await using reader = await visit(browser, { viewport: { width: 1440, height: 800 } });
      const { page: read } = reader;
      await read.goto(at(`/review/${id}?environment=${ENVIRONMENT}&find=menu`));
      await signIn(read);
      await read.locator(".shot-heading h2", { hasText: "menu open" }).waitFor();
      for (const width of [1440, 768, 375]) {
        await read.setViewportSize({ width, height: 800 });
        if (width < 900) await read.getByRole("button", { name: "Queue" }).click();
        await read.locator(".queue-shot").first().waitFor();
        assert.deepEqual(await overflowing(read, ".queue-shot"), [], `queue at ${width} px`);
        if (width < 900) await read.getByRole("button", { name: "Queue" }).click();
        assert.deepEqual(await overflowing(read, ".shot-heading h2"), [], `heading at ${width} px`);
        for (const part of await read.locator(".shot-heading .page-variant").all())
          assert.ok(
            ((await part.boundingBox())?.width ?? 0) > 40,
            `${await part.textContent()} at ${width} px`,
          );
        assert.ok(
          await read.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${width} px`,
        );
      }
      await read.goto(at(`/runs/${id}`));
      await read.locator("article").first().waitFor();
      assert.deepEqual(await overflowing(read, "article .route"), [], "cards");
      assert.ok(await read.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "run page");
    });
  });

  it("counts the reader as the right reviewer, and sent requests only to its service", async () => {
    const view = sessionView.parse(await (await vrs.request("/v1/session")).json());
    assert.equal(view.countsAs, view.actor.id, "the first key was made by nobody");
    assert.deepEqual(strange(visited), []);
  });
});
