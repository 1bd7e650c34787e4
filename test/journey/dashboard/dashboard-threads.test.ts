import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { commentList } from "../../../shared/contracts/reviews/comments.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { decisionsSaved } from "../../support/drivers/browser/dashboard.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";

const ROOT = join(import.meta.dirname, "../../..");

describe("Threads in the review", () => {
  let vrs: Vrs;
  let site: Site;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  let runId: string;
  /** Ids of the screenshots by route. */
  let ids: Map<string, string>;

  const at = (path: string) => `${vrs.baseUrl}/${path}`;
  const idOf = (route: string) => ids.get(route) ?? assert.fail(route);
  const comments = async () =>
    commentList.parse(await (await vrs.request(`/v1/runs/${runId}/comments?limit=100`)).json()).data;
  const threads = () => page.locator(".comment-thread");
  const panel = () => page.getByRole("complementary", { name: "Comments" });
  const openReview = async (route: string, more = "") => {
    await page.goto(at(`review/${runId}?shot=${idOf(route)}${more}`));
    await page.locator(".shot-heading h2", { hasText: route }).waitFor();
  };
  const signIn = async (on: Page, key: string) => {
    await on.goto(at("sign-in"));
    await on.getByLabel("API key").fill(key);
    await on.getByRole("button", { name: "Sign in with API key" }).click();
    await on.locator(".runs").waitFor();
  };

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [vrs, site, browser] = await Promise.all([Vrs.start(), Site.start(), launchBrowser()]);
    for (const route of ["/a", "/b"])
      site.pages.set(route, `<h1>${route}</h1><p style="height:2000px">Text</p>`);
    runId = (await vrs.client().submitRun({ url: site.url, routes: ["/a", "/b"], project: "talk" })).id;
    await vrs.client().waitForRun(runId);
    const { data } = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${runId}`)).json());
    ids = new Map(data.map(shot => [shot.route, shot.id]));
    visited = await visit(browser, {
      ...{ viewport: { width: 1440, height: 900 }, bypassCSP: true },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    page = visited.page;
    await signIn(page, vrs.key);
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
    await vrs?.stop();
  });

  it("pins a comment to a drawn region, and counts it in the queue", async () => {
    await openReview("/a");
    await page.keyboard.press("t");
    await panel().getByText("No comments on this screenshot yet.").waitFor();
    await page.getByRole("button", { name: "Pin to a region" }).click();
    const port = await page.locator(".port").first().boundingBox();
    assert.ok(port);
    const before = await page.locator(".page-sheet").first().getAttribute("style");
    await page.mouse.move(port.x + 40, port.y + 30);
    await page.mouse.down();
    await page.mouse.move(port.x + 140, port.y + 80, { steps: 4 });
    await page.mouse.up();
    await panel()
      .getByText(/^Pinned to \d+ × \d+ px$/)
      .waitFor();
    assert.equal(await page.locator(".page-sheet").first().getAttribute("style"), before, "the page stays");
    await panel().getByLabel("Comment", { exact: true }).fill("Why is this so large?");
    await page.keyboard.press("Control+Enter");
    await threads().getByText("Why is this so large?").waitFor();
    await page.locator(".pin button", { hasText: "1" }).first().waitFor();
    await page.locator(".queue-shot", { hasText: "/a" }).getByTitle("1 open thread").waitFor();
    const [comment] = await comments();
    assert.ok(comment);
    const { region } = comment;
    assert.equal(comment.screenshotId, idOf("/a"));
    assert.ok(region && Math.abs(region.width / region.height - 2) < 0.1, JSON.stringify(region));
  });

  it("shows replies of others at once, and resolves and reopens a thread", async () => {
    const [first] = await comments();
    await vrs.post(`/v1/runs/${runId}/comments`, { text: "It is a headline.", replyTo: first?.id });
    await threads().getByText("It is a headline.").waitFor();
    await threads().getByRole("button", { name: "Resolve" }).click();
    await panel().getByRole("button", { name: "Show 1 resolved thread" }).click();
    await threads()
      .getByText(/^Resolved by /)
      .waitFor();
    await until(async () => (await page.locator(".queue-comments").count()) === 0);
    await threads().getByRole("button", { name: "Reopen" }).click();
    await page.locator(".queue-comments").waitFor();
  });

  it("edits and deletes comments, and comments on the whole run on every screenshot", async () => {
    await panel().getByLabel("Comment on the whole run").check();
    await panel().getByLabel("Comment", { exact: true }).fill("Ship it\nafter lunch");
    await panel().getByRole("button", { name: "Add comment" }).click();
    const onRun = threads().filter({ hasText: "On the run" });
    await onRun.waitFor();
    await onRun.getByRole("button", { name: "Edit" }).click();
    await onRun.getByLabel("Comment", { exact: true }).fill("Ship it today");
    await onRun.getByRole("button", { name: "Save" }).click();
    await onRun.getByText("(edited)").waitFor();
    await openReview("/b");
    await page.keyboard.press("t");
    await threads().getByText("Ship it today").waitFor();
    assert.equal(await threads().count(), 1, "threads of other screenshots are there");
    await threads().getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await until(async () => (await threads().count()) === 0);
  });

  it("keeps the text of a comment that was refused", async () => {
    await page.route("**/comments", route =>
      route.request().method() === "POST"
        ? route.fulfill({
            status: 409,
            json: { detail: "A run has at most 500 comments.", code: "conflict" },
          })
        : route.continue(),
    );
    const field = panel().getByLabel("Comment", { exact: true });
    await field.fill("One too many");
    await panel().getByRole("button", { name: "Add comment" }).click();
    await page.getByText("A run has at most 500 comments.").waitFor();
    assert.equal(await field.inputValue(), "One too many");
    await page.unroute("**/comments");
    visited.complaints.splice(0);
  });

  it("keeps drafts while other screenshots are shown, and after the panel is closed", async () => {
    const field = () => panel().getByLabel("Comment", { exact: true });
    await openReview("/b");
    await page.keyboard.press("t");
    await field().fill("Half a thought");
    await panel().getByLabel("Comment on the whole run").check();
    await page.locator(".queue-shot", { hasText: "/a" }).click();
    await page.locator(".shot-heading h2", { hasText: "/a" }).waitFor();
    assert.equal(await field().inputValue(), "");
    await threads().getByLabel("Reply", { exact: true }).fill("Half a reply");
    await page.keyboard.press("Escape");
    await page.keyboard.press("t");
    await panel().waitFor({ state: "detached" });
    await page.keyboard.press("t");
    assert.equal(await threads().getByLabel("Reply", { exact: true }).inputValue(), "Half a reply");
    await page.locator(".queue-shot", { hasText: "/b" }).click();
    await page.locator(".shot-heading h2", { hasText: "/b" }).waitFor();
    assert.equal(await field().inputValue(), "Half a thought");
    assert.ok(await panel().getByLabel("Comment on the whole run").isChecked());
  });

  it("empties a form that was opened again while its comment was being sent", async () => {
    const field = () => panel().getByLabel("Comment", { exact: true });
    await openReview("/b");
    await page.keyboard.press("t");
    await field().fill("Sent once");
    const { promise: isBack, resolve: comeBack } = Promise.withResolvers<void>();
    await page.route("**/comments", async route => {
      if (route.request().method() === "POST") await isBack;
      await route.continue();
    });
    await panel().getByRole("button", { name: "Add comment" }).click();
    for (const route of ["/a", "/b"]) {
      await page.locator(".queue-shot", { hasText: route }).click();
      await page.locator(".shot-heading h2", { hasText: route }).waitFor();
    }
    comeBack();
    await threads().getByText("Sent once").waitFor();
    await until(async () => (await field().inputValue()) === "");
    await page.unroute("**/comments");
  });

  it("opens a screenshot whose link was followed in the review", async () => {
    await openReview("/b");
    const link = at(`review/${runId}?shot=${idOf("/a")}`);
    await page.evaluate(url => {
      history.pushState(null, "", url);
      dispatchEvent(new PopStateEvent("popstate"));
    }, link);
    await page.locator(".shot-heading h2", { hasText: "/a" }).waitFor();
    await page.goBack();
    await page.locator(".shot-heading h2", { hasText: "/b" }).waitFor();
  });

  it("opens a thread by its link", async () => {
    const [first] = await comments();
    await openReview("/a", `&comment=${first?.id}`);
    await page.locator('.comment-thread[data-current="true"]').getByText("Why is this so large?").waitFor();
  });

  it("approves with a note, which the details show", async () => {
    await openReview("/b");
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "Approve this screenshot with a note" });
    await assertAccessible(page, "dialog");
    await dialog.getByLabel("Note").fill("Wanted by design");
    await page.keyboard.press("Enter");
    await page.getByText("/b at 1280 px approved.").waitFor();
    await until(async () => {
      const { data } = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${runId}`)).json());
      return data.some(({ reviews }) => reviews.some(({ reason }) => reason === "Wanted by design"));
    });
    await decisionsSaved(page);
    await openReview("/b");
    await page.locator(".shot-line summary", { hasText: "Details" }).click();
    await page
      .locator(".reviews")
      .getByText(/Wanted by design/)
      .waitFor();
  });

  it("copies a link that opens at the same spot and mode", async () => {
    await openReview("/a");
    await page.keyboard.press("5");
    await page.keyboard.press("0");
    for (const key of ["+", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown"])
      await page.keyboard.press(key);
    const style = () => page.locator(".page-sheet").first().getAttribute("style");
    const before = /translate\([^)]*\) scale\([^)]*\)/.exec((await style()) ?? "")?.[0] ?? assert.fail();
    await page.keyboard.press("c");
    await page.getByText("Link copied.").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto(at("runs"));
    await page.goto(link);
    await page.locator('.stage[data-mode="new"]').waitFor();
    const numbers = (text: string) => text.match(/-?[\d.]+/g)?.map(Number) ?? [];
    await until(async () => {
      const now = numbers(/translate\([^)]*\) scale\([^)]*\)/.exec((await style()) ?? "")?.[0] ?? "");
      return numbers(before).every((value, index) => Math.abs(value - (now[index] ?? 1e9)) < 2);
    });
  });

  it("has no serious accessibility violation at every width, and only reviewers comment", async () => {
    const key = createdKey.parse(await (await vrs.post("/v1/keys", { name: "eye", role: "viewer" })).json());
    await using reader = await visit(browser, { viewport: { width: 1440, height: 800 }, bypassCSP: true });
    await signIn(reader.page, key.key);
    const [first] = await comments();
    await reader.page.goto(at(`review/${runId}?shot=${idOf("/a")}&comment=${first?.id}`));
    await reader.page.getByText("Reviewers can add comments.").waitFor();
    assert.equal(await reader.page.locator(".comments").getByRole("button", { name: "Resolve" }).count(), 0);
    for (const width of [1440, 768, 360]) {
      await reader.page.setViewportSize({ width, height: 800 });
      await assertAccessible(reader.page);
      await page.setViewportSize({ width, height: 800 });
      await openReview("/a", `&comment=${first?.id}`);
      await page.locator(".comment-thread").waitFor();
      await assertAccessible(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`);
    }
    assert.deepEqual(visited.complaints, []);
  });
});
