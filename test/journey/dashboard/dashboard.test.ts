import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { runView } from "../../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { createdKey, keyList } from "../../../shared/contracts/teams/keys.ts";
import { sessionList } from "../../../shared/contracts/teams/sessions.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { groupScreenshots } from "../../../shared/report/group-screenshots.ts";
import { EMBEDDED } from "../../support/databases/databases.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { decisionsSaved } from "../../support/drivers/browser/dashboard.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { CodeHostServer } from "../../support/fakes/code-host/code-host.ts";
import { PaymentServer } from "../../support/fakes/payment-server.ts";
import { Site } from "../../support/fixtures/site.ts";
import { problemOf } from "../../support/formats/problem.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** Pages with a shared header, whose color changes, and one with a changed text too. */
const ROUTES = ["/a", "/b", "/c", "/own", "/still"];

function showVersion(site: Site, version: 1 | 2): void {
  const header = `<div style="height:60px;background:${version === 1 ? "#234" : "#a33"}"></div>`;
  const page = (top: string, text: string) =>
    `<!doctype html><title>${text}</title><body style="margin:0">${top}<h1>${text}</h1><p style="height:1500px">Text</p>`;
  for (const route of ["/a", "/b", "/c"]) site.pages.set(route, page(header, route));
  site.pages.set("/own", page("", version === 1 ? "Old words" : "New words"));
  site.pages.set("/still", page("", "The same"));
}

describe("The dashboard", () => {
  let vrs: Vrs;
  let site: Site;
  let host: CodeHostServer;
  let payments: PaymentServer;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  let firstId: string;
  let runId: string;

  const at = (path: string) => `${vrs.baseUrl}${path}`;
  const signIn = async (on: Page, key = vrs.key) => {
    await on.getByLabel("API key").fill(key);
    await on.getByRole("button", { name: "Sign in with API key" }).click();
  };
  const submit = async (fields = {}) => {
    const body = { url: site.url, routes: ROUTES, viewports: [375, 1280], threshold: 0, ...fields };
    return (await vrs.client().submitRun(body)).id;
  };
  const keyFor = async (role: string) =>
    createdKey.parse(await (await vrs.post("/v1/keys", { name: role, role })).json()).key;
  const reviewsOf = async (id: string) => {
    const { data } = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${id}`)).json());
    return new Map(data.map(shot => [`${shot.route} ${shot.viewport}`, shot.review?.state ?? null]));
  };
  const title = (on: Page) => on.locator(".shot-heading h2").textContent();
  const titled = (on: Page, text: string) => on.locator(".shot-heading h2", { hasText: text }).waitFor();

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [host, payments] = await Promise.all([CodeHostServer.start(), PaymentServer.start()]);
    [vrs, site, browser] = await Promise.all([
      Vrs.start({ ...host.env, ...payments.env, SERVICE_SIGN_UP: "open" }, EMBEDDED),
      Site.start(),
      launchBrowser(),
    ]);
    showVersion(site, 1);
    visited = await visit(browser, { viewport: { width: 1440, height: 900 } });
    page = visited.page;
  });
  after(async () => {
    await browser?.close();
    await Promise.all([vrs?.stop(), site?.stop(), host?.close(), payments?.close()]);
  });

  it("has a policy that allows requests to its service only, in cached and compressed parts", async () => {
    const answer = await fetch(at("/runs/any"));
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert.match(
      policy,
      /default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'/,
    );
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const html = await answer.text();
    assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//);
    const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
    const part = await fetch(at(script), { headers: { "Accept-Encoding": "br" } });
    assert.equal(part.headers.get("content-encoding"), "br");
    assert.match(part.headers.get("cache-control") ?? "", /immutable/);
    const packed = Number(
      (await fetch(at(script), { headers: { "Accept-Encoding": "gzip" } })).headers.get("content-length"),
    );
    assert.ok(packed > 0 && packed <= 150_000, `${packed} bytes of script for the first page`);
    assert.equal((await fetch(at("/assets/..%2findex.html"))).status, 404);
  });

  it("opens the sign-in page without a session, explains errors, and continues afterward", async () => {
    await page.goto(at("/settings/usage"));
    await page.waitForURL(/\/sign-in\?next=settings%2Fusage$/);
    await signIn(page, "vrs_wrong");
    await page.getByText("This API key is unknown, expired or revoked.").waitFor();
    await signIn(page);
    await page.waitForURL(at("/settings/usage"));
    await page.getByRole("heading", { name: "Plan and usage" }).waitFor();
    // Both 401 are expected: without a session, and with a wrong key.
    assert.deepEqual(
      visited.complaints.splice(0).filter(text => !text.includes("401")),
      [],
    );
  });

  it("submits the first run from its form, and shows the service's failures", async () => {
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("heading", { name: "Start your first run" }).waitFor();
    await page.getByLabel("Site URL").fill(site.url);
    await page.getByLabel("Pages (one per line)").fill("pricing");
    await page.getByRole("button", { name: "Start run" }).click();
    await page.getByText("must be a path that starts with a single /").first().waitFor();
    visited.complaints.splice(0);
    await page.getByLabel("Pages (one per line)").fill(ROUTES.join("\n"));
    await page.getByRole("button", { name: "Start run" }).click();
    await page.waitForURL(/\/runs\/run_/);
    await page.getByRole("heading", { name: "10 new screenshots to review" }).waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Approve run" }).click();
    await page.getByRole("heading", { name: "Approved" }).waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByRole("heading", { name: "10 new screenshots to review" }).waitFor();
    await page.getByRole("button", { name: "Approve run" }).click();
    await page.getByRole("heading", { name: "Approved" }).waitFor();
    // Also when the toast has disappeared.
    firstId = page.url().split("/").at(-1) ?? "";
    const saved = () =>
      until(async () => [...(await reviewsOf(firstId)).values()].every(review => review === "approved"));
    await saved();
    await decisionsSaved(page);
    await page.reload();
    const [taken] = await Promise.all([
      page.waitForResponse(answer => answer.url().endsWith(`/v1/baselines/${firstId}/dismiss`)),
      page.getByRole("button", { name: "Undo approval" }).click(),
    ]);
    assert.ok(taken.ok());
    // The toast is shown only for some seconds.
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByRole("heading", { name: "Approved" }).waitFor();
    await saved();
  });

  it("explains an unknown URL or run, with a link", async () => {
    const asked = (path: string, accept: string, method = "GET") =>
      fetch(at(path), { method, headers: { Accept: accept } });
    const html = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";
    for (const [path, accept, type] of [
      ["/nowhere", html, /^text\/html/],
      ["/settings/team/more", html, /^text\/html/],
      ["/review", html, /^text\/html/],
      ["/nowhere", "*/*", /problem/],
      ["/v1/nowhere", html, /problem/],
      ["/api/nowhere", html, /problem/],
    ] as const) {
      const answer = await asked(path, accept);
      assert.equal(answer.status, 404, path);
      assert.match(answer.headers.get("content-type") ?? "", type, path);
      await answer.text();
    }
    await problemOf(await asked("/nowhere", html, "POST"), "not_found");
    await page.goto(at("/nowhere/at/all"));
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.getByRole("link", { name: "Go to runs" }).click();
    await page.waitForURL(at("/runs"));
    await page.goto(at("/runs/run_none"));
    await page.getByText("Failed to load the run.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
    await page.getByRole("link", { name: "Go to runs" }).click();
    await page.waitForURL(at("/runs"));
    // Expected: there was none.
    assert.deepEqual(
      visited.complaints.splice(0).filter(text => !text.includes("404")),
      [],
    );
  });

  it("shows new runs and their end in the list without a reload", async () => {
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    const rows = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
    await rows.first().waitFor();
    assert.equal(await rows.count(), 1);
    showVersion(site, 2);
    runId = await submit();
    await rows.nth(1).waitFor();
    await rows.first().getByText("needs review").waitFor({ timeout: 60_000 });
    await page.getByLabel("Status").selectOption({ label: "Approved" });
    await until(async () => (await rows.count()) === 1);
    assert.match(page.url(), /\?conclusion=approved$/);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await rows.nth(1).waitFor();
    await rows.first().click();
    await page.waitForURL(at(`/runs/${runId}`));
  });

  for (const [what, address] of [
    ["the run", "**/v1/runs/run_*"],
    ["its screenshots", "**/v1/screenshots/run_*"],
  ] as const) {
    it(`shows the end of a run that came with ${what} on the way to the page`, async () => {
      let answer = () => {};
      const answered = new Promise<void>(resolve => {
        answer = resolve;
      });
      site.pages.set("/late", async (_req, res) => {
        await answered;
        res.writeHead(200, { "Content-Type": "text/html" }).end("Late");
      });
      await using other = await visit(browser);
      await other.page.goto(at("/settings/usage"));
      await signIn(other.page);
      await other.page.getByRole("heading", { name: "Plan and usage" }).waitFor();
      const id = await submit({ routes: ["/late"], viewports: [375], project: "late" });
      // After the event of its end, the page loads it once more.
      const isTold = other.page.waitForResponse(
        async read =>
          read.url() === at(`/v1/runs/${id}`) && runView.parse(await read.json()).status === "completed",
        { timeout: 120_000 },
      );
      // If the page is never loaded, the test has failed already.
      isTold.catch(() => {});
      let held = 0;
      await other.page.route(address, async route => {
        held += 1;
        if (held > 1) return route.continue();
        const early = await route.fetch();
        answer();
        await isTold;
        await route.fulfill({ response: early });
      });
      await other.page.goto(at(`/runs/${id}`));
      await other.page.getByRole("link", { name: "Review 1" }).waitFor();
      await other.page.unrouteAll({ behavior: "ignoreErrors" });
    });
  }

  it("folds identical changes into one card", async () => {
    const more = page.getByRole("button", { name: /Show the same change on \d more screenshots?/ }).first();
    await more.waitFor();
    const cards = page.locator("article");
    const folded = await cards.count();
    await more.click();
    await until(async () => (await cards.count()) > folded);
  });

  it("has a run's filters in the URL, and returns to them from the review", async () => {
    const find = page.getByLabel("Find a route");
    await find.pressSequentially("/a ");
    await page.getByRole("button", { name: "375 px" }).click();
    await page.waitForURL(url => url.search === "?find=%2Fa&viewport=375");
    assert.equal(await find.inputValue(), "/a ");
    const cards = page.locator("article");
    await until(async () => (await cards.count()) === 1);
    const address = page.url();
    await cards.first().getByRole("link").click();
    await titled(page, "/a");
    await page.keyboard.press("Escape");
    await page.waitForURL(address);
    assert.equal(await find.inputValue(), "/a");
    await page.getByRole("button", { name: "375 px", pressed: true }).click();
    await find.fill("/nowhere");
    await page.getByText("No screenshots match.").waitFor();
    await page.waitForURL(url => url.search === "?find=%2Fnowhere");
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.locator(".run-row", { hasText: "needs review" }).first().getByRole("link").click();
    await page.waitForURL(at(`/runs/${runId}`));
    // Unfolded groups stay unfolded.
    await page
      .getByRole("button", { name: /^Hide the same change/ })
      .first()
      .waitFor();
  });

  it("reviews by keyboard: shows every mode, decides, continues, and undoes", async () => {
    await page.getByRole("link", { name: /^Review \d/ }).click();
    await page.locator(".stage .page-sheet").first().waitFor();
    const stage = page.locator(".stage");
    for (const [key, mode] of [
      ["2", "swipe"],
      ["3", "overlay"],
      ["4", "baseline"],
      ["5", "new"],
      ["6", "blink"],
      ["1", "side"],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await stage.getAttribute("data-mode"), mode);
    }
    await page.keyboard.press("d");
    assert.ok(await stage.evaluate(element => element.classList.contains("with-mask")));
    await page.keyboard.press("h");
    assert.ok(!(await stage.evaluate(element => element.classList.contains("with-outline"))));
    await page.keyboard.press("0");
    await page.locator(".zoom", { hasText: "100%" }).waitFor();
    await page.keyboard.press("+");
    await page.locator(".zoom", { hasText: "125%" }).waitFor();
    // Both sides move together in every mode.
    const transforms = await page
      .locator(".page-sheet")
      .evaluateAll(sheets => sheets.map(sheet => sheet.getAttribute("style")?.match(/scale\([^)]*\)/)?.[0]));
    assert.deepEqual(transforms, ["scale(1.25)", "scale(1.25)"]);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("a");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    const first = (await title(page)) ?? "";
    await page.keyboard.press("a");
    await page
      .getByText("1 px approved.")
      .or(page.getByText(/ approved\./))
      .first()
      .waitFor();
    await until(async () => (await title(page)) !== first);
    await page.keyboard.press("u");
    await titled(page, first.split(" ")[0] ?? "");
    await until(async () => [...(await reviewsOf(runId)).values()].every(review => review === null));
    await page.keyboard.press("g");
    await page.getByText(/\d screenshots approved/).waitFor();
    await until(
      async () => [...(await reviewsOf(runId)).values()].filter(review => review === "approved").length > 1,
    );
    await page.keyboard.press("r");
    await page.getByLabel("Reason").fill("the words are wrong");
    await page.keyboard.press("Enter");
    await until(async () => [...(await reviewsOf(runId)).values()].includes("rejected"));
  });

  it("ignores shortcuts in fields, and searches from them", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("a");
    const before = await reviewsOf(runId);
    await page.locator(".queue-shot").first().waitFor();
    assert.equal(await page.getByLabel("Find a route").inputValue(), "a");
    assert.deepEqual(await reviewsOf(runId), before);
    await page.getByLabel("Find a route").fill("");
    await page.keyboard.press("Escape");
  });

  it("opens a screenshot in a mode by its link, and shows another reviewer's decision without a reload", async () => {
    const { data } = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${runId}`)).json());
    const own = data.find(shot => shot.route === "/own" && shot.viewport === 1280);
    assert.ok(own);
    await vrs.client().approve(runId, [own.id]);
    await using other = await visit(browser);
    await other.page.goto(at(`/review/${runId}?shot=${own.id}&mode=swipe`));
    await signIn(other.page, await keyFor("reviewer"));
    await titled(other.page, "/own");
    assert.equal(await other.page.locator(".stage").getAttribute("data-mode"), "swipe");
    await other.page.locator(".shot-line .status", { hasText: "approved" }).waitFor();
    await vrs.post(`/v1/baselines/${runId}/reject`, { screenshots: [own.id], reason: "not yet" });
    await other.page.locator(".shot-line .status", { hasText: "rejected" }).waitFor();
    await other.page.getByText(/^Rejected by .*: not yet/).waitFor();
  });

  it("waits for the team's number of approvals, and explains who may not approve", async () => {
    const saveSettings = async (approvals: string, self: boolean) => {
      await page.goto(at("/settings/team"));
      await page.getByLabel("Required approvals").fill(approvals);
      await page.getByLabel("Submitters can approve their own runs").setChecked(self);
      // The toast is shown only for some seconds.
      const said = page.getByText("Review settings saved.").waitFor();
      await Promise.all([said, page.getByRole("button", { name: "Save review settings" }).click()]);
    };
    const id = await submit({ routes: ["/own"], viewports: [1280], project: "two" });
    const review = async () => (await reviewsOf(id)).get("/own 1280");
    await saveSettings("2", true);
    await page.getByText("A screenshot needs 2 approvals.").waitFor();
    await page.goto(at(`/runs/${id}`));
    await page.getByRole("link", { name: "Review 1" }).click({ timeout: 60_000 });
    await titled(page, "/own");
    await page.keyboard.press("a");
    await page
      .getByText(/You approved \/own at \d+ px: 1 of 2 approvals\. You have nothing left to review\./)
      .waitFor();
    await page.locator(".shot-line .status", { hasText: "1 of 2 approvals" }).waitFor();
    await until(async () => (await review()) === "pending");
    await page.keyboard.press("u");
    await until(async () => (await review()) === null);
    await page.locator(".shot-line .status", { hasText: "new" }).waitFor();
    await page.keyboard.press("a");
    await until(async () => (await review()) === "pending");
    await using other = await visit(browser);
    await other.page.goto(at(`/review/${id}`));
    await signIn(other.page, await keyFor("reviewer"));
    await other.page.locator(".review-bar output", { hasText: "1 of 1 left" }).waitFor();
    await other.page.keyboard.press("a");
    await other.page.getByText(/\/own at \d+ px approved\. All screenshots are reviewed\./).waitFor();
    await until(async () => (await review()) === "approved");
    await page.getByText(/^Approved by .* and reviewer/).waitFor();

    await saveSettings("1", false);
    const own = await submit({ routes: ["/own"], viewports: [1280], project: "three" });
    await page.goto(at(`/runs/${own}`));
    await page.getByRole("button", { name: "Approve run" }).click({ timeout: 60_000 });
    await page.getByText(/The decision was not saved\. You submitted this run/).waitFor();
    await page.getByRole("link", { name: "Review 1" }).waitFor();
    assert.equal((await reviewsOf(own)).get("/own 1280"), null);
    await saveSettings("1", true);
  });

  it("shows everything to a viewer, without decisions", async () => {
    await using viewer = await visit(browser);
    await viewer.page.goto(at(`/review/${runId}`));
    await signIn(viewer.page, await keyFor("viewer"));
    await viewer.page.locator(".page-sheet").first().waitFor();
    assert.equal(await viewer.page.getByRole("button", { name: /\b(?:Approve|Reject)\b/ }).count(), 0);
    const before = await reviewsOf(runId);
    await viewer.page.keyboard.press("a");
    await viewer.page.getByText("Only reviewers can approve").waitFor();
    assert.deepEqual(await reviewsOf(runId), before);
    await viewer.page.goto(at("/settings/keys"));
    await viewer.page.getByText("Only admins of Default can manage its API keys.").waitFor();
    assert.equal(await viewer.page.getByRole("link", { name: "API keys" }).count(), 0);
  });

  it("signs in with the code host, and shows the chosen team", async () => {
    await using her = await visit(browser);
    await her.page.goto(at("/settings/team"));
    const login = her.page.getByRole("link", { name: "Sign in with your code host" });
    assert.equal(await login.getAttribute("href"), "auth/login?next=%2Fsettings%2Fteam");
    await login.click();
    await her.page.waitForURL(/\/login\/oauth\/authorize/);
    const ada = { id: 7, login: "ada", name: "Ada", emails: [{ email: "ada@example.com", verified: true }] };
    await her.page.goto(host.allow(her.page.url(), ada).href);
    await her.page.waitForURL(at("/settings/team"));
    await her.page.getByRole("list", { name: "Members" }).getByRole("strong").waitFor();
    assert.equal(await her.page.getByLabel("Team", { exact: true }).count(), 0);

    const body = { teamId: DEFAULT_TEAM_ID, add: [{ login: "ada", role: "viewer" }] };
    assert.equal((await vrs.post("/v1/teams", body)).status, 200);
    await her.page.reload();
    await her.page.getByLabel("Team", { exact: true }).selectOption({ label: "Default" });
    await her.page.locator(".run-row").first().waitFor();
    await her.page.reload();
    await her.page.locator(".run-row").first().waitFor();
    // Removed from the team, the user is back in the own team without an error.
    const removal = { teamId: DEFAULT_TEAM_ID, remove: ["ada"] };
    assert.equal((await vrs.post("/v1/teams", removal)).status, 200);
    await her.page.reload();
    await her.page.getByRole("heading", { name: "Start your first run" }).waitFor();

    assert.equal((await vrs.post("/v1/teams", body)).status, 200);
    await her.page.goto(at("/settings/account"));
    const teams = her.page.getByRole("list", { name: "Teams" });
    await teams.getByRole("button", { name: "Leave team… Default" }).click();
    await her.page.getByRole("dialog").getByRole("button", { name: "Leave team" }).click();
    await her.page.getByText("You left Default.").waitFor();
    await teams.getByText("Default").waitFor({ state: "detached" });

    await her.page.goto(at("/billing?checkout=canceled"));
    await her.page.getByText("You were not charged").waitFor();
    const [asked] = await Promise.all([
      her.page.waitForRequest(request => request.isNavigationRequest()),
      her.page.getByRole("button", { name: "Subscribe to pro" }).click(),
    ]);
    assert.ok(asked.url().startsWith(payments.url), asked.url());
  });

  it("keeps each tab's team, and sends decisions to the team of their run", async () => {
    await using her = await visit(browser);
    const [first, second] = [her.page, await her.page.context().newPage()];
    await first.goto(at("/runs"));
    await first.getByRole("link", { name: "Sign in with your code host" }).click();
    await first.waitForURL(/\/login\/oauth\/authorize/);
    const bea = { id: 8, login: "bea", name: "Bea", emails: [{ email: "bea@example.com", verified: true }] };
    await first.goto(host.allow(first.url(), bea).href);
    await first.getByRole("heading", { name: "Start your first run" }).waitFor();
    const body = { teamId: DEFAULT_TEAM_ID, add: [{ login: "bea", role: "reviewer" }] };
    assert.equal((await vrs.post("/v1/teams", body)).status, 200);
    const id = await submit({ project: "tabs", routes: ["/a", "/own"], viewports: [375] });
    await vrs.client().waitForRun(id);
    const teamOn = (on: Page) => on.getByLabel("Team", { exact: true });
    const chooseDefault = async () => {
      await teamOn(first).selectOption({ label: "Default" });
      await first.locator(".run-row").first().waitFor();
      await first.goto(at(`/runs/${id}`));
    };
    await first.reload();
    await chooseDefault();

    await second.goto(at("/runs"));
    await second.locator(".run-row").first().waitFor();
    const own = (await teamOn(second).locator("option", { hasNotText: "Default" }).textContent()) ?? "";
    await teamOn(second).selectOption({ label: own });
    await second.getByRole("heading", { name: "Start your first run" }).waitFor();
    // Back in the first tab: what it opens is of its team too.
    await first.evaluate(() => dispatchEvent(new Event("focus")));
    const leftToTheBrowser = first.evaluate(
      () =>
        new Promise<boolean>(resolve => {
          const look = (event: Event) => {
            resolve(!event.defaultPrevented);
            event.preventDefault();
          };
          addEventListener("click", look, { once: true });
        }),
    );
    await first.getByRole("link", { name: "Runs", exact: true }).click({ modifiers: ["ControlOrMeta"] });
    assert.ok(await leftToTheBrowser);
    // Opened here, since Playwright may miss the first document of a tab that the browser opens.
    const third = await her.page.context().newPage();
    await third.goto(at("/runs"));
    await third.locator(".run-row").first().waitFor();
    await first.getByRole("button", { name: "Approve 2 screenshots" }).click();
    await until(async () => [...(await reviewsOf(id)).values()].every(review => review === "approved"));
    await decisionsSaved(first);
    await first.reload();
    await first.getByRole("button", { name: "Undo approval" }).waitFor();

    // Unsaved decisions stay with the team of their run after a switch.
    await first.route("**/v1/baselines/**", route => route.abort());
    await first.getByRole("button", { name: "Undo approval" }).click();
    await first.getByText("1 decision not saved yet.").waitFor();
    // Other pages link to their run, and warn before they are closed.
    await first.getByRole("link", { name: "Runs", exact: true }).click();
    await first.getByText("1 decision on a run not saved.").waitFor();
    const isAsked = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
    assert.ok(await first.evaluate(isAsked));
    await first.getByRole("link", { name: "Open the run" }).click();
    await first.getByText("1 decision not saved yet.").waitFor();
    assert.equal(await first.getByText("1 decision on a run not saved.").count(), 0);
    await teamOn(first).selectOption({ label: own });
    await first.getByRole("heading", { name: "Start your first run" }).waitFor();
    await first.unroute("**/v1/baselines/**");
    await until(async () => [...(await reviewsOf(id)).values()].every(review => review === null));
  });

  it("loads a run's screenshots in display order, part by part", async () => {
    const read = async (query: string) =>
      screenshotList.parse(await (await vrs.request(`/v1/screenshots/${runId}${query}`)).json());
    // A group has all widths of a change, so the tests before decided on all screenshots.
    await vrs.post(`/v1/baselines/${runId}/dismiss`, { reason: "for the order" });
    const [first] = (await read("")).data;
    await vrs.post(`/v1/baselines/${runId}/approve`, { screenshots: [first?.id] });
    const all = await read("");
    assert.equal(all.summary, undefined);
    const shown = groupScreenshots(all.data.map(shot => ({ ...shot, stable: shot.stable ?? true })));
    const ids: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const part = await read(`?order=need&limit=3${cursor && `&cursor=${cursor}`}`);
      ids.push(...part.data.map(shot => shot.id));
      cursor = part.nextCursor;
      assert.deepEqual(part.summary?.viewports, [375, 1280]);
      const sum = Object.values(part.summary?.standings ?? {}).reduce((total, size) => total + size, 0);
      assert.equal(sum, all.data.length);
    }
    assert.deepEqual(
      ids,
      shown.flatMap(({ stacks }) => stacks.flat().map(shot => shot.id)),
    );
    assert.notDeepEqual(
      ids,
      all.data.map(shot => shot.id),
      "which is another than that of their ids",
    );
    const whole = await read("?order=need");
    const some = await read("?order=need&status=changed");
    assert.deepEqual(some.summary, whole.summary);
    assert.deepEqual(
      some.data,
      whole.data.filter(({ status }) => status === "changed"),
    );
    const strange = Buffer.from(`scr_${"0".repeat(26)}`).toString("base64url");
    assert.equal((await vrs.request(`/v1/screenshots/${runId}?order=need&cursor=${strange}`)).status, 422);
  });

  it("renders only the visible ones of 2,000 screenshots", async () => {
    site.pages.set("/slow", () => {});
    const routes = Array.from({ length: 500 }, (_, index) => `/slow?${index}`);
    const id = await submit({ routes, viewports: [375, 768, 1280, 1920], project: "many" });
    const rest = Promise.withResolvers<void>();
    await page.route(at(`/v1/screenshots/${id}`), async route => {
      await rest.promise;
      await route.continue();
    });
    await page.goto(at(`/runs/${id}`));
    // Shows the first screenshots and the tally of all. Actions on the whole run wait for all.
    const reading = page.getByText("Loading 1,940 more screenshots…");
    await reading.waitFor();
    await page
      .locator(".group-head")
      .getByRole("button", { name: / 60\+$/ })
      .waitFor();
    await page
      .getByRole("search", { name: "Screenshots" })
      .getByRole("button", { name: /2,000$/ })
      .waitFor();
    await page.locator("article").first().waitFor();
    const place = () => page.locator("article").first().boundingBox();
    const before = await place();
    rest.resolve();
    await reading.waitFor({ state: "hidden" });
    await page
      .locator(".group-head")
      .getByRole("button", { name: / 2,000$/ })
      .waitFor();
    assert.deepEqual(await place(), before, "nothing moved when the others came");
    await page.unrouteAll();
    assert.ok((await page.locator("article").count()) < 100);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.getByRole("heading", { name: "/slow?499" }).first().waitFor();
    assert.ok((await page.locator("article").count()) < 100);
    await page.getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("heading", { name: "The run was canceled" }).waitFor();
  });

  it("loads no image off screen", async () => {
    await using small = await visit(browser, { viewport: { width: 360, height: 700 } });
    await small.page.goto(at("/sign-in"));
    await signIn(small.page);
    await small.page.getByRole("heading", { name: "Runs" }).waitFor();
    const fetched = new Set<string>();
    small.page.on("request", request => request.url().includes("/v1/images/") && fetched.add(request.url()));
    await small.page.goto(at(`/runs/${firstId}`));
    // Without navigating, as a click would.
    await small.page.getByRole("button", { name: "Reviewed 10" }).dispatchEvent("click");
    await until(() => fetched.size > 0);
    // The stream stays open, so the network is never idle.
    for (let before = 0; before < fetched.size; await small.page.waitForTimeout(1_000)) before = fetched.size;
    const all = ROUTES.length * 2;
    const atTop = fetched.size;
    assert.ok(atTop < all / 2 + 1, `${atTop} of ${all}`);
    await small.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await until(() => fetched.size > atTop);
  });

  it("explains that a part was removed by an update, and reloads the new version", async () => {
    await using opened = await visit(browser);
    await opened.page.goto(at("/runs"));
    await signIn(opened.page);
    await opened.page.route("**/assets/monitor-pages-*", route => route.fulfill({ status: 404 }));
    await opened.page.getByRole("link", { name: "Monitors" }).click();
    await opened.page.getByText("Failed to display this page.").waitFor();
    await opened.page.getByRole("link", { name: "Runs", exact: true }).click();
    await opened.page.getByRole("heading", { name: "Runs" }).waitFor();
    await opened.page.getByRole("link", { name: "Monitors" }).click();
    await opened.page.unrouteAll();
    await opened.page.getByRole("button", { name: "Reload page" }).click();
    await opened.page.getByRole("heading", { name: "Monitor a live site" }).waitFor();
  });

  it("filters runs by a typed or chosen name, and keeps the focus", async () => {
    await page.goto(at("/runs"));
    await page.locator(".run-row", { hasText: "late" }).first().waitFor();
    const project = page.getByLabel("Project");
    const searched = (search: string) => page.waitForURL(url => url.search === search);
    await project.pressSequentially("late-night");
    assert.equal(await project.inputValue(), "late-night");
    assert.equal(new URL(page.url()).search, "");
    await page.keyboard.press("Enter");
    await searched("?project=late-night");
    await page.getByText("No runs match.").waitFor();
    await page.goBack();
    await until(async () => (await project.inputValue()) === "");
    // Like a choice from the field's suggestions, which a headless browser doesn't open.
    await project.evaluate(input => {
      if (input instanceof HTMLInputElement) input.setRangeText("late");
      input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertReplacementText" }));
    });
    await searched("?project=late");
    await page.getByLabel("Branch").pressSequentially("none");
    await page.keyboard.press("Tab");
    await searched("?project=late&branch=none");
    await page.getByLabel("Branch").fill("");
    await searched("?project=late");
    await page.getByLabel("Branch").pressSequentially("no");
    await page.locator(".run-row a").first().click();
    await page.waitForURL("**/runs/run_*");
    await page.goBack();
    await searched("?project=late");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await until(async () => (await project.inputValue()) === "");
    await searched("");
  });

  it("saves a filter by name, offers it in the list and the palette, and removes it", async () => {
    await page.goto(at("/runs?project=late"));
    await page.getByRole("button", { name: "Save filter" }).click();
    const name = page.getByLabel("Name of the filter");
    await until(() => name.evaluate(input => input === document.activeElement));
    assert.equal(await name.inputValue(), "late");
    await name.fill("Night runs");
    await page.keyboard.press("Enter");
    const saved = page.getByRole("list", { name: "Saved filters" });
    const link = saved.getByRole("link", { name: "Night runs" });
    await until(() => link.evaluate(element => element === document.activeElement));
    assert.equal(await page.getByRole("button", { name: "Save filter" }).count(), 0);
    await page.goto(at("/runs"));
    await link.click();
    await page.waitForURL("**/runs?project=late");
    await page.goto(at("/monitors"));
    await page.getByRole("heading", { name: "Monitors" }).waitFor();
    assert.equal(await saved.count(), 0);
    await page.keyboard.press("Control+K");
    await page.getByRole("combobox").fill("night");
    await page.getByRole("option", { name: "Night runs" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/runs?project=late");
    await page.getByRole("button", { name: "Remove Night runs" }).click();
    await page.getByRole("button", { name: "Save filter" }).waitFor();
    assert.equal(await saved.count(), 0);
  });

  it("updates relative times", async () => {
    await using reader = await visit(browser);
    await reader.page.clock.install();
    await reader.page.goto(at("/runs"));
    await signIn(reader.page);
    const when = reader.page.locator(".run-row time").first();
    await when.getByText(/min\. ago|just now/).waitFor();
    await reader.page.clock.fastForward("03:00:00");
    await when.getByText("3 hr. ago").waitFor();
  });

  it("returns the focus to the opener of a dialog", async () => {
    await page.goto(at("/runs"));
    const opener = page.getByRole("button", { name: "Start a run" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Start a run");
  });

  it("keeps a form's values when the service refuses them", async () => {
    await page.goto(at("/settings/team"));
    const who = page.getByLabel("Username or email address");
    await who.fill("bea@nowhere@example");
    await page.getByRole("button", { name: "Add member" }).click();
    await page.locator('.said[data-failure="true"]').getByText(/./).first().waitFor();
    assert.equal(await who.inputValue(), "bea@nowhere@example");
    const title = "The plan has no more keys.";
    const problem = { type: "about:blank", title, status: 402, detail: title, code: "plan_limit_exceeded" };
    await page.route("**/v1/keys", route =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 402, contentType: "application/problem+json", json: problem })
        : route.continue(),
    );
    await page.goto(at("/settings/keys"));
    await page.getByLabel("Name").fill("CI of the shop");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText(title).waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "CI of the shop");
    await page.unroute("**/v1/keys");
    visited.complaints.splice(0);
  });

  it("creates a key, shows it once, and revokes it", async () => {
    await page.goto(at("/settings/keys"));
    await page.getByLabel("Name").fill("CI");
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog", { name: "API key “CI”" });
    const key = await dialog.locator("pre").textContent();
    const statusWithIt = async () =>
      (await fetch(at("/v1/runs"), { headers: { Authorization: `Bearer ${key}` } })).status;
    assert.equal(await statusWithIt(), 200);
    await dialog.getByRole("button", { name: "Copy" }).click();
    await dialog
      .getByRole("status")
      .filter({ hasText: /clipboard/ })
      .waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Revoke key CI" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
    await until(async () => (await statusWithIt()) === 401);
  });

  it("creates a key that can only upload to a project", async () => {
    await page.goto(at("/settings/keys"));
    await page.getByLabel("Name").fill("Shop CI");
    await page.getByLabel("Role").selectOption("upload");
    await page.getByLabel("Project").fill("acme/shop");
    await page.getByLabel("Repository").fill("acme/website");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").getByText("Access: Uploads to acme/shop.").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Uploads to acme/shop · ").waitFor();
    assert.equal(await page.getByLabel("Role").inputValue(), "reviewer");
    assert.equal(await page.getByLabel("Project").count(), 0);
    const { data } = keyList.parse(await (await vrs.request("/v1/keys?limit=1")).json());
    assert.deepEqual([data[0]?.scope, data[0]?.repository], ["upload", "acme/website"]);
  });

  for (const width of [1440, 768, 360]) {
    it(`has no serious fault of access, and fits, at ${width} px`, async () => {
      // Only to inject axe into the page.
      await using reader = await visit(browser, { viewport: { width, height: 800 }, bypassCSP: true });
      await reader.page.goto(at("/sign-in"));
      await reader.page.getByLabel("API key").waitFor();
      await assertAccessible(reader.page);
      await signIn(reader.page);
      const shown: [string, string][] = [
        ["/runs", ".run-row"],
        [`/runs/${runId}`, "article"],
        [`/review/${runId}`, ".page-sheet"],
        ["/settings/team", ".rows"],
        ["/settings/keys", ".rows"],
        ["/settings/usage", ".usage"],
        ["/billing?checkout=canceled", ".usage"],
        ["/settings/nodes", ".rows"],
      ];
      await reader.page.getByRole("heading", { name: "Runs" }).waitFor();
      for (const [path, sign] of shown) {
        await reader.page.goto(at(path));
        await reader.page.locator(sign).first().waitFor();
        // Lists look alike in a narrow window, and were checked in a wide one.
        if (width > 1000 || !path.startsWith("/settings/")) await assertAccessible(reader.page);
        const scrolled = await reader.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(scrolled <= width, `${path} is ${scrolled} px wide`);
        if (path !== "/runs") continue;
        const filters = await reader.page.locator(".run-filters").boundingBox();
        assert.ok(filters && filters.height < 110, `the filters are ${filters?.height} px high`);
      }
      await reader.page.goto(at("/runs"));
      await reader.page.getByRole("button", { name: "Start a run" }).click();
      await assertAccessible(reader.page);
      assert.deepEqual(reader.complaints, []);
    });
  }

  it("ends with its session, and opens the sign-in page", async () => {
    await page.goto(at(`/runs/${runId}`));
    await page.locator("article").first().waitFor();
    const sessions = sessionList.parse(await (await vrs.request("/v1/sessions")).json());
    assert.ok(sessions.data.length > 0);
    for (const { id } of sessions.data) await vrs.request(`/v1/sessions/${id}`, { method: "DELETE" });
    await page.waitForURL(
      url => url.pathname === "/sign-in" && url.searchParams.get("next") === `runs/${runId}`,
    );
    await signIn(page);
    await page.waitForURL(at(`/runs/${runId}`));
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in/);
    await page.goto(at("/runs"));
    await page.waitForURL(/\/sign-in/);
  });

  it("sent requests only to its service", () => {
    const strange = visited.complaints.filter(text => !/40[1349]|422/.test(text));
    assert.deepEqual(strange, []);
  });
});
