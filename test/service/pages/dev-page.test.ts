import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { findReviewServer } from "../../../cli/review-server/server-file.ts";
import { ReviewServerTestContext } from "../../support/contexts/review-server-context.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";

describe("vrs dev", () => {
  let browser: Browser;
  let current: Visit;
  let page: Page;
  let context: ReviewServerTestContext;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());
  beforeEach(async () => {
    context = await ReviewServerTestContext.start();
    current = await visit(browser);
    page = current.page;
  });
  afterEach(async () => {
    await current?.[Symbol.asyncDispose]();
    await context?.stop();
    // A page can't avoid that the browser reports refused requests.
    assert.deepEqual(
      current.complaints.filter(line => !line.includes("Failed to load resource")),
      [],
    );
  });

  const state = () => page.locator("#live");
  const statuses = () =>
    page
      .locator(".card")
      .evaluateAll(cards =>
        cards
          .map(card => `${card.querySelector(".route")?.textContent} ${card.getAttribute("data-standing")}`)
          .sort(),
      );
  /** Waits until the page shows these screenshots. */
  async function shows(...expected: string[]): Promise<void> {
    const end = performance.now() + 10_000;
    for (;;) {
      const shown = await statuses();
      if (JSON.stringify(shown) === JSON.stringify(expected)) return;
      if (performance.now() > end) assert.deepEqual(shown, expected);
      await new Promise(resolve => setTimeout(resolve, 30));
    }
  }

  it("shows screenshots as they arrive, and approves them into git's baselines by a key", async () => {
    await page.goto(context.url);
    await page.getByRole("heading", { name: "Waiting for screenshots" }).waitFor();
    for (const name of ["Cart/empty", "Cart/full", "Menu"])
      assert.equal((await context.send(name, "#08f")).status, 202);
    await shows("Cart/empty new", "Cart/full new", "Menu new");
    assert.equal(await state().textContent(), "3 need review.");
    await page.getByRole("heading", { name: "Cart/empty" }).click();
    const approvals: string[] = [];
    page.on("request", request => request.url().endsWith("/approve") && approvals.push(request.url()));
    await page.keyboard.down("a");
    await shows("Cart/empty unchanged", "Cart/full new", "Menu new");
    // The next one that needs review is open. The key that is still held doesn't approve it.
    await page.locator("#viewer-title", { hasText: "Cart/full" }).waitFor();
    await page.keyboard.down("a");
    await page.keyboard.up("a");
    await page.locator("#viewer-title", { hasText: "Cart/full" }).waitFor();
    assert.equal(approvals.length, 1);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Approve all" }).click();
    await shows("Cart/empty unchanged", "Cart/full unchanged", "Menu unchanged");
    assert.equal(await state().textContent(), "Nothing needs review.");
    await context.folder.git("add", "--all");
    const files = await context.folder.git("diff", "--cached", "--name-only");
    assert.equal(
      files.split("\n").filter(file => /^\.service\/baselines\/screenshots\/.*\.png$/.test(file)).length,
      3,
    );
    assert.ok(!files.includes("review/"), files);
  });

  it("keeps the open screenshot and the filter while others arrive", async () => {
    await page.goto(context.url);
    for (const name of ["A", "B", "C"]) await context.send(name, "#08f");
    await shows("A new", "B new", "C new");
    await page.getByRole("button", { name: "Approve all" }).click();
    await shows("A unchanged", "B unchanged", "C unchanged");
    await context.send("B", "#f80");
    await context.send("C", "#f80");
    await shows("A unchanged", "B changed", "C changed");
    await page.locator("#find").fill("B");
    await page.getByRole("heading", { name: "B", exact: true }).click();
    await context.send("0", "#080");
    await shows("0 new", "A unchanged", "B changed", "C changed");
    assert.match((await page.locator("#viewer-title").textContent()) ?? "", /^B /);
    assert.match(page.url(), /#B%40300\/side$/);
    // The same change on both: one key approves the group.
    await page.keyboard.press("g");
    await shows("0 new", "A unchanged", "B unchanged", "C unchanged");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#find").inputValue(), "B");
    assert.equal(await page.locator(".card:visible .route").textContent(), "B");
  });

  it("approves what it shows after another check and a commit, and leaves that check to vrs approve", async () => {
    const { folder } = context;
    await page.goto(context.url);
    await context.send("A", "#08f");
    await shows("A new");
    await folder.draw("shots/B.png", "#0a5");
    await folder.commit();
    await folder.check("--screenshots", "shots");
    await page.getByRole("button", { name: "Approve all" }).click();
    await shows("A unchanged");
    assert.match((await folder.vrs("approve")).out, /^added {2}B at 120 px .*\n1 baseline changed/);
  });

  it("refuses to approve a screenshot that was replaced meanwhile", async () => {
    await context.send("A", "#08f");
    await page.goto(context.url);
    await shows("A new");
    const image = await page.locator('img[data-kind="current"]').getAttribute("src");
    await context.send("A", "#f80");
    const { status } = await context.post("approve", { screenshots: [{ id: "A@300", image: "images/0" }] });
    assert.equal(status, 409);
    await state().filter({ hasText: "1 needs review." }).waitFor();
    while ((await page.locator('img[data-kind="current"]').getAttribute("src")) === image)
      await new Promise(resolve => setTimeout(resolve, 30));
    const late = await context.post("approve", { screenshots: [{ id: "A@300", image }] });
    assert.equal(late.status, 409);
    assert.match((await late.json()).error.message, /newer screenshot/);
    assert.ok(!existsSync(join(context.folder.root, ".service/baselines")));
  });

  it("serves only this machine's own page and programs that know the token", async () => {
    const { port, host, pathname } = new URL(context.url);
    const other = pathname.replace(/.\/$/, pathname.at(-2) === "a" ? "b/" : "a/");
    assert.equal(await context.raw(pathname, {}), 200);
    assert.equal(await context.raw("/", {}), 404);
    assert.equal(await context.raw(other, {}), 404);
    assert.equal(await context.raw(pathname, { host: `evil.example:${port}` }), 404);
    assert.equal(await context.raw(pathname, { host: `localhost:${port}` }), 200);
    assert.equal(await context.raw(`${pathname}events`, { origin: "https://evil.example" }), 404);
    const post = { host, "content-type": "application/json" };
    assert.equal(await context.raw(`${pathname}approve`, { ...post, origin: "null" }, "POST"), 404);
    assert.equal(
      await context.raw(`${pathname}approve`, { ...post, "sec-fetch-site": "cross-site" }, "POST"),
      404,
    );
    assert.equal(
      await context.raw(`${pathname}approve`, { ...post, "content-type": "text/plain" }, "POST"),
      400,
    );
    assert.equal(await context.raw(`${pathname}images/../../package.json`, {}), 404);
  });

  it("refuses screenshots that it can't show, and says why", async () => {
    const refused = async (body: unknown) => {
      const response = await context.post("screenshots", body);
      assert.equal(response.status, 400);
      return (await response.json()).error.message;
    };
    const image = Buffer.from("no image").toString("base64");
    assert.match(await refused({ name: "A", image }), /can't be read/);
    assert.match(await refused({ name: "../A", image }), /^"name" must not contain/);
    assert.match(await refused({ name: "A", image, viewport: { width: 0 } }), /^"?viewport\.width/);
    assert.match(await refused({ name: "A", image, color: "red" }), /color/);
    assert.equal((await context.send("A", "#08f")).status, 202);
  });

  it("ends on Ctrl+C, and is then no longer found", async () => {
    assert.equal(findReviewServer(join(context.folder.root, "packages"), {})?.url, context.url);
    await page.goto(context.url);
    assert.equal(await context.interrupt(), 0);
    assert.equal(findReviewServer(context.folder.root, {}), null);
    await state().filter({ hasText: "vrs dev has stopped." }).waitFor();
  });
});
