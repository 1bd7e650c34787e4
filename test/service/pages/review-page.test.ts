import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { type OwnPagesServer, serveOwnPages } from "../../own-pages/server.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";

const BUILD = fileURLToPath(new URL("../../../cli/build-dashboard.mjs", import.meta.url));
const RUN = "run_01k8z4m2q7";
/** Changed with and without a remark, new, removed, failed, unstable. */
const KINDS = ["scr_1_price", "scr_2_home", "scr_4_new", "scr_5_gone", "scr_6_failed", "scr_8_live"];
const LONG = `/shop/${"a-long-way/".repeat(9)}`;

describe("the review page", () => {
  let server: OwnPagesServer;
  let browser: Browser;
  let current: Visit;
  let page: Page;

  before(async () => {
    await promisify(execFile)(process.execPath, [BUILD]);
    [server, browser] = await Promise.all([serveOwnPages(), launchBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    current = await visit(browser);
    page = current.page;
  });
  afterEach(async () => current[Symbol.asyncDispose]());

  const open = async (shot: string) => {
    await page.goto(`${server.url}/review/${RUN}?shot=${shot}&mode=side`);
    await page.locator(`.queue-shot[aria-current="true"]`).or(page.locator(".queue:not(:visible)")).waitFor({
      state: "attached",
    });
    await page.locator(".tools").waitFor();
    // The width of texts depends on their font.
    await page.evaluate(async () => void (await document.fonts.ready));
  };
  const boxOf = async (selector: string) =>
    (await page.locator(selector).first().boundingBox()) ?? assert.fail(selector);
  const boxesOf = (selector: string) =>
    page.locator(selector).evaluateAll(elements =>
      elements
        .map(element => element.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
    );
  const openPanels = () => page.locator(".shot-line details[open]").count();
  const isOff = (name: string) =>
    page.locator(".review-decide, .tools").getByRole("button", { name }).isDisabled();
  const zoom = async () => Number.parseInt((await page.locator(".zoom").textContent()) ?? "", 10);
  /** Returns whether the page is as wide as its pane. */
  const isAcross = async () => {
    const [sheet, port] = [await boxOf(".page-sheet"), await boxOf(".port")];
    return Math.abs(sheet.width - port.width) < 1;
  };

  it("keeps the stage and the tools in place and in one row between screenshots", async () => {
    const locations = new Set<string>();
    for (const shot of KINDS) {
      await open(shot);
      const stage = await boxOf(".stage-frame");
      const tools = await boxesOf(".tools button");
      assert.equal(new Set(tools.map(({ top }) => top)).size, 1, "one row");
      locations.add(JSON.stringify([stage, tools]));
    }
    assert.equal(locations.size, 1);
  });

  it("shows every tool in a phone's window, in two rows", async () => {
    for (const width of [375, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await open("scr_1_price");
      const tools = await boxesOf(".tools button");
      assert.equal(tools.length, 14);
      assert.ok(tools.every(({ left, right }) => left >= 0 && right <= width));
      assert.equal(new Set(tools.map(({ top }) => top)).size, 2);
    }
  });

  it("shows all facts of a long route, and distinguishes long routes", async () => {
    await page.route("**/v1/screenshots/**", async route => {
      const { data } = screenshotList.parse(await (await route.fetch()).json());
      const renamed = data.map(shot => ({ ...shot, route: `${LONG}${shot.id}` }));
      await route.fulfill({ json: { data: renamed, nextCursor: null } });
    });
    await open("scr_2_home");
    assert.equal(await page.locator(".shot-line h2").textContent(), `${LONG}scr_2_home 1280 px`);
    const heading = await boxOf(".shot-line h2");
    const said = await boxesOf(".shot-line h2 .quiet, .shot-line p > *");
    const panels = await boxesOf(".shot-line summary");
    assert.equal(said.length, 4);
    const line = await boxOf(".shot-line p");
    // Only the baseline's reason is hidden, as a whole, if it doesn't fit.
    const visible = said.filter(({ top }) => top < line.y + line.height);
    assert.ok(visible.length >= 3);
    for (const [index, { left, right }] of visible.entries()) {
      assert.ok(left >= heading.x && right <= (visible[index + 1] ?? panels[0] ?? assert.fail()).left);
    }
    assert.ok(
      panels.every(({ top, bottom }) => bottom - top < 40),
      "each on one line",
    );
    assert.ok(
      await page
        .locator(".shot-line p > *")
        .evaluateAll(parts =>
          parts.every(part => part.scrollWidth <= part.clientWidth + 1 || part.clientWidth === 0),
        ),
    );
    const rows = page.locator(".queue-shot");
    for (const [index, end] of ["scr_2_home", "cr_3_about"].entries()) {
      const route = rows.nth(index).locator(".queue-route");
      const shown = await route.getByText(end, { exact: true }).boundingBox();
      const [place, width] = [
        await route.boundingBox(),
        await rows.nth(index).locator(".queue-width").boundingBox(),
      ];
      assert.ok(shown && place && width && shown.x > place.x && shown.x + shown.width <= width.x);
    }
  });

  it("disables tools that a screenshot has no use for", async () => {
    await open("scr_1_price");
    assert.deepEqual(await Promise.all(["Approve", "Reject", "Undo", "Mask", "Outline"].map(isOff)), [
      false,
      false,
      true,
      false,
      false,
    ]);
    await open("scr_4_new");
    assert.deepEqual(await Promise.all(["Approve", "Mask", "Outline"].map(isOff)), [false, true, true]);
    await open("scr_6_failed");
    assert.deepEqual(await Promise.all(["Approve", "Reject", "Undo"].map(isOff)), [true, false, true]);
  });

  it("folds a panel or the phone's queue on the first Escape, and opens one panel at a time", async () => {
    await open("scr_1_price");
    const [history, details] = [
      page.getByText("History", { exact: true }),
      page.getByText("Details", { exact: true }),
    ];
    await history.click();
    await details.click();
    assert.equal(await openPanels(), 1);
    await page.keyboard.press("Escape");
    assert.equal(await openPanels(), 0);
    await details.click();
    await page.locator(".port").first().click();
    assert.equal(await openPanels(), 0);
    await page.setViewportSize({ width: 375, height: 740 });
    await page.getByRole("button", { name: "Queue" }).click();
    await page.locator(".queue").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".queue").waitFor({ state: "hidden" });
    assert.match(page.url(), /\/review\//);
    await page.keyboard.press("Escape");
    await page.waitForURL(`**/runs/${RUN}`);
  });

  it("shows one focus ring around the route fields of the review and the run", async () => {
    for (const path of [`/review/${RUN}`, `/runs/${RUN}`]) {
      await page.goto(server.url + path);
      const field = page.getByLabel("Find a route");
      await field.focus();
      const rings = await field.evaluate(input =>
        [input, input.closest(".find")].map(element => element && getComputedStyle(element).outlineStyle),
      );
      assert.deepEqual(rings, ["none", "solid"], path);
    }
  });

  it("renders no heading without its parent heading", async () => {
    await open("scr_1_price");
    const levels = await page
      .locator("h1, h2, h3, h4")
      .evaluateAll(headings => headings.map(({ tagName }) => Number(tagName.slice(1))));
    assert.equal(levels[0], 1);
    for (const [index, level] of levels.entries())
      assert.ok(level <= (levels[index - 1] ?? 0) + 1, String(levels));
  });

  it("styles the reject button of the dialog like that of the bar", async () => {
    await open("scr_1_price");
    const look = (selector: string) =>
      page.locator(selector).evaluate(button => {
        const { color, borderColor, backgroundColor } = getComputedStyle(button);
        return { color, borderColor, backgroundColor };
      });
    const before = await look(".review-decide .reject");
    await page.keyboard.press("r");
    assert.deepEqual(await look("dialog button[type=submit]:not([name])"), before);
  });

  it("opens at the page's full width, and at the actual size once that was chosen", async () => {
    await open("scr_1_price");
    await until(isAcross);
    assert.ok((await zoom()) < 40);
    const navigate = async (key: string, route: string) => {
      await page.keyboard.press(key);
      await page.locator(".shot-line h2", { hasText: route }).waitFor();
    };
    const scale = () => page.locator(".page-sheet").first().getAttribute("style");
    await page.keyboard.press("0");
    await navigate("ArrowUp", "/about");
    assert.match((await scale()) ?? "", /scale\(1\)/);
    assert.equal(await zoom(), 100);
    await page.keyboard.press(" ");
    await navigate("ArrowDown", "/pricing");
    await until(isAcross);
  });

  it("distinguishes deleted images from those that failed to load, and retries the latter", async () => {
    const said = page.locator(".stage .lost:visible");
    await page.route("**/v1/images/**", route => route.fulfill({ status: 404 }));
    await open("scr_4_new");
    await said.filter({ hasText: "this image was deleted." }).waitFor();
    await page.unroute("**/v1/images/**");
    await page.route("**/v1/images/**", route => route.fulfill({ status: 503 }));
    await open("scr_1_price");
    await said.filter({ hasText: "failed to load this image. Retrying…" }).first().waitFor();
    assert.equal(await page.locator(".minimap image:visible").count(), 0);
    await page.unroute("**/v1/images/**");
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await until(async () => (await page.locator(".layer img:visible").count()) === 2);
    await page.locator(".minimap image:visible").waitFor();
    await until(async () => (await page.locator(".stage .lost").count()) === 0);
    await page.keyboard.press("d");
    await until(async () => (await page.locator(".tint:visible").count()) === 2);
  });
});
