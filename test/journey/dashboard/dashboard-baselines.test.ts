import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { baselineHistory, baselineList } from "../../../shared/contracts/runs/baselines.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { activityList } from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ROUTES = ["/", "/pricing"];

function showColour(site: Site, colour: string): void {
  for (const route of ROUTES)
    site.pages.set(
      route,
      `<!doctype html><title>${route}</title><body style="margin:0"><div style="height:300px;background:${colour}"></div><h1>${route}</h1><p style="height:900px">Text</p>`,
    );
}

describe("Baselines in the dashboard", () => {
  let vrs: Vrs;
  let site: Site;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  let secondId: string;

  const at = (path: string) => `${vrs.baseUrl}${path}`;
  const signIn = async (on: Page, key = vrs.key) => {
    await on.goto(at("/sign-in"));
    await on.getByLabel("API key").fill(key);
    await on.getByRole("button", { name: "Sign in with API key" }).click();
    await on.getByRole("heading", { name: "Runs" }).waitFor();
  };
  const run = async (fields = {}) => {
    const client = vrs.client();
    const author = { owner: "acme", repo: "shop", sha: "b".repeat(40), author: "Ada Lovelace" };
    const body = { url: site.url, routes: ROUTES, viewports: [375, 1280], threshold: 0, project: "shop" };
    const { id } = await client.submitRun({ ...body, scm: author, rerun: true, ...fields });
    await client.waitForRun(id);
    return id;
  };
  const historyOfHome = async () => {
    const answer = await vrs.request("/v1/baselines/history?project=shop&route=/&viewport=375");
    return baselineHistory.parse(await answer.json()).data;
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

  it("explain baselines if there are none, and refuse an invalid query", async () => {
    await page.goto(at("/baselines"));
    await page.getByRole("heading", { name: "No baselines yet" }).waitFor();
    await page.getByText("v1/baselines/RUN_ID/approve").waitFor();
    for (const query of [
      "",
      "?project=",
      "?project=p&viewport=x",
      "?project=p&branch=b&pr=1",
      "?project=p&limit=101",
      "?project=p&cursor=x",
      "?project=p&who=me",
      "?project=p&route=//nowhere",
      `?project=p&cursor=${Buffer.from('["\\u0000",1]').toString("base64url")}`,
    ])
      assert.equal((await vrs.request(`/v1/baselines${query}`)).status, 422, query);
    assert.equal((await vrs.request("/v1/baselines/history?project=p&route=/")).status, 422);
    assert.equal((await vrs.request("/v1/screenshots?project=p&viewport=375")).status, 422);
  });

  it("are shown by route and width as thumbnails, and found by a part of the route", async () => {
    showColour(site, "#223344");
    const firstId = await run();
    await vrs.client().approve(firstId);
    showColour(site, "#aa3333");
    secondId = await run();
    const { data } = baselineList.parse(await (await vrs.request("/v1/baselines?project=shop")).json());
    assert.equal(data.length, 4);
    await vrs.client().approve(secondId);

    const thumbnails: string[] = [];
    page.on("response", answer => {
      if (answer.url().includes("/v1/images/")) thumbnails.push(answer.headers()["content-type"] ?? "");
    });
    await page.goto(at("/baselines"));
    await page.locator(".baseline-row").nth(1).waitFor();
    assert.equal(await page.locator(".baseline-row .card-open").count(), 4);
    await until(() => thumbnails.length >= 4);
    assert.deepEqual(new Set(thumbnails), new Set(["image/webp"]));
    // While a pull request's baselines load, no others are shown under its name.
    const requested = Promise.withResolvers<void>();
    await page.route("**/v1/baselines?*pr=8*", async route => {
      await requested.promise;
      await route.continue();
    });
    await page.evaluate(() => {
      history.pushState(null, "", "baselines?project=shop&pr=8");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await page.getByText("Loading baselines").waitFor();
    requested.resolve();
    await page.getByRole("heading", { name: "No baselines on pull request #8 yet" }).waitFor();
    await page.getByRole("combobox", { name: "Branch or pull request" }).selectOption({ label: "main" });
    await page.locator(".baseline-row").nth(1).waitFor();
    await page.getByLabel("Find a route").fill("PRIC");
    await page.waitForURL(/find=PRIC/);
    await until(async () => (await page.locator(".baseline-row").count()) === 1);
    await page.getByLabel("Find a route").fill("nothing");
    await page.getByText("No routes contain “nothing”.").waitFor();
    await page.getByLabel("Find a route").fill("");
    await page.locator(".baseline-row").nth(1).waitFor();
    await page.getByRole("button", { name: "375 px" }).click();
    await until(async () => (await page.locator(".baseline-row .card-open").count()) === 2);
  });

  it("follow the search in the URL, also when it changes", async () => {
    const find = page.getByLabel("Find a route");
    await find.pressSequentially("pric ");
    await page.waitForURL(/find=pric$/);
    assert.equal(await find.inputValue(), "pric ");
    await page.getByRole("link", { name: "Baselines", exact: true }).click();
    await until(async () => (await find.inputValue()) === "");
    await page.locator(".baseline-row").nth(1).waitFor();
    await page.goBack();
    await until(async () => (await find.inputValue()) === "pric");
    await until(async () => (await page.locator(".baseline-row").count()) === 1);
    await page.getByRole("link", { name: "Baselines", exact: true }).click();
    await page.locator(".baseline-row").nth(1).waitFor();
    assert.equal(new URL(page.url()).search, "");
  });

  it("load further pages again on request after an error", async () => {
    let [requested, isAway] = [0, true];
    const problem = {
      type: "about:blank",
      title: "No",
      status: 422,
      detail: "Not now.",
      code: "invalid_request",
    };
    await page.route("**/v1/baselines?*", async route => {
      const isRest = new URL(route.request().url()).searchParams.get("cursor") === "rest";
      if (isRest) requested += 1;
      if (isRest && isAway)
        return route.fulfill({ status: 422, contentType: "application/problem+json", json: problem });
      if (isRest) return route.fulfill({ json: { data: [], nextCursor: null } });
      const { data } = baselineList.parse(await (await route.fetch()).json());
      await route.fulfill({ json: { data, nextCursor: "rest" } });
    });
    await page.reload();
    await page.getByText("Failed to load the rest of the list. Not now.").waitFor();
    await delay(500);
    assert.equal(requested, 1);
    isAway = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Failed to load the rest of the list.").waitFor({ state: "detached" });
    await page.unroute("**/v1/baselines?*");
    visited.complaints.splice(0);
  });

  it("have a history, from which a reviewer restores one, with undo", async () => {
    await page.locator(".baseline-row .card-open").first().click();
    await page.waitForURL(/\/baselines\/history\?/);
    const entries = page.locator(".timeline > li");
    await entries.nth(1).waitFor();
    await entries.first().getByText("Current").waitFor();
    await page.locator(".stage .page-sheet img").first().waitFor();
    assert.equal(await page.locator(".stage").getAttribute("data-mode"), "side");
    await page.keyboard.press("2");
    assert.equal(await page.locator(".stage").getAttribute("data-mode"), "swipe");
    assert.equal(await page.getByRole("button", { name: "Restore as baseline" }).count(), 0);
    const [latest, first] = await historyOfHome();
    await page.keyboard.press("ArrowDown");
    await page.waitForURL(url => url.searchParams.get("entry") === first?.id);
    await page.getByRole("button", { name: "Restore as baseline" }).click();
    await page.getByText("Baseline restored on main.").waitFor();
    await entries.first().getByText("Restored by").waitFor();
    assert.deepEqual(
      (await historyOfHome()).map(({ id }) => id),
      [first?.id, latest?.id],
    );
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await historyOfHome())[0]?.id === latest?.id);
    const restorings = async () => {
      const answer = await vrs.request(`/v1/teams/${DEFAULT_TEAM_ID}/activity?type=baseline.restored`);
      return activityList.parse(await answer.json()).data;
    };
    await until(async () => (await restorings()).length === 2);
    assert.deepEqual((await restorings())[0]?.details, { project: "shop", route: "/", viewport: 375 });
  });

  it("have links from a run, with its author and the state of its review", async () => {
    await page.goto(at(`/runs/${secondId}`));
    await page.getByText("Ada Lovelace").waitFor();
    await page.getByText(/by bootstrap/).waitFor();
    await page.getByRole("img", { name: "4 approved" }).waitFor();
    await page.getByRole("link", { name: "shop", exact: true }).click();
    await page.waitForURL(/\/baselines\?project=shop/);
  });

  it("have links from the review, with recent runs and the capture's timings", async () => {
    await page.goto(at(`/review/${secondId}`));
    await page.locator(".stage .page-sheet").first().waitFor();
    // Each thumbnail is refused once, as by a busy service.
    const refused = new Set<string>();
    await page.route("**/v1/images/**", async route => {
      const url = route.request().url();
      if (refused.has(url)) return await route.continue();
      refused.add(url);
      await route.fulfill({ status: 503, headers: { "retry-after": "1" } });
    });
    await page.getByText("History", { exact: true }).click();
    await page.locator(".strip li").nth(1).waitFor();
    const drawn = page.locator(".strip img");
    await until(() => drawn.evaluateAll(all => all.every(one => "naturalWidth" in one && one.naturalWidth)));
    assert.equal(await drawn.count(), 2);
    await page.unroute("**/v1/images/**");
    // The browser reports only the refused ones.
    const message = visited.complaints.splice(0);
    assert.deepEqual(
      message.filter(each => !each.includes("503")),
      [],
    );
    assert.equal(message.length, refused.size);
    assert(refused.size > 0);
    assert.equal(await page.locator('.strip a[aria-current="true"]').count(), 1);
    await page.getByText(/^The capture took/).waitFor();
    await page.locator(".timings li", { hasText: "Load the page" }).waitFor();
    await page.getByRole("link", { name: "View all approvals of this page" }).click();
    await page.locator(".timeline > li").first().waitFor();
  });

  it("are visible to viewers, who can restore none", async () => {
    const key = createdKey.parse(
      await (await vrs.post("/v1/keys", { name: "v", role: "viewer" })).json(),
    ).key;
    await using viewer = await visit(browser);
    await signIn(viewer.page, key);
    const [, first] = await historyOfHome();
    await viewer.page.goto(at(`/baselines/history?project=shop&route=/&viewport=375&entry=${first?.id}`));
    await viewer.page.getByRole("link", { name: "Open run" }).waitFor();
    assert.equal(await viewer.page.getByRole("button", { name: "Restore as baseline" }).count(), 0);
    assert.deepEqual(viewer.complaints, []);
  });

  it("have no serious accessibility violation and fit in wide and narrow windows", async () => {
    for (const width of [1440, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const shown: [string, string][] = [
        ["/baselines?project=shop", ".baseline-row .card-open"],
        ["/baselines/history?project=shop&route=/&viewport=375", ".timeline .entry"],
        [`/review/${secondId}`, ".page-sheet"],
      ];
      for (const [path, sign] of shown) {
        await page.goto(at(path));
        await page.locator(sign).first().waitFor();
        if (path.startsWith("/review")) {
          await page.getByText("History", { exact: true }).click();
          await page.locator(".strip li").first().waitFor();
          const panel = await page.locator(".shot-history > div").boundingBox();
          assert.ok(panel && panel.x >= 0 && panel.x + panel.width <= width && panel.y < 400, path);
        }
        await assertAccessible(page);
        const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(scrolled <= width, `${path} is ${scrolled} px wide`);
      }
    }
    assert.deepEqual(visited.complaints, []);
  });
});
