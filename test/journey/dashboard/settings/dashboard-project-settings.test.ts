import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { projectEmailView } from "../../../../shared/contracts/monitors/project-email.ts";
import { projectList } from "../../../../shared/contracts/runs/projects.ts";
import { runList } from "../../../../shared/contracts/runs/runs.ts";
import { createdKey } from "../../../../shared/contracts/teams/keys.ts";
import { activityList } from "../../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../../shared/ids.ts";
import { assertAccessible } from "../../../support/drivers/browser/axe.ts";
import { launchBrowser, visit } from "../../../support/drivers/browser/report-browser.ts";
import { until } from "../../../support/drivers/until.ts";
import { Vrs } from "../../../support/drivers/vrs.ts";
import { Site } from "../../../support/fixtures/site.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const PAGE = "/baselines/configuration?project=shop";

describe("A project's settings in the dashboard", () => {
  let vrs: Vrs;
  let site: Site;
  let browser: Browser;
  let page: Page;

  const at = (path: string) => `${vrs.baseUrl}${path}`;
  const project = async () => {
    const [found] = projectList.parse(await (await vrs.request("/v1/projects?find=shop")).json()).data;
    assert.ok(found);
    return found;
  };
  const noted = async () => {
    const answer = await vrs.request(`/v1/teams/${DEFAULT_TEAM_ID}/activity?type=project.changed`);
    return activityList.parse(await answer.json()).data.map(({ details }) => details);
  };
  const signIn = async (on: Page, key = vrs.key) => {
    await on.goto(at("/sign-in"));
    await on.getByLabel("API key").fill(key);
    await on.getByRole("button", { name: "Sign in with API key" }).click();
    await on.getByRole("heading", { name: "Runs" }).waitFor();
  };
  const save = (section: string) =>
    page.getByRole("button", { name: `Save ${section}`, exact: true }).click();

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [vrs, site, browser] = await Promise.all([Vrs.start(), Site.start(), launchBrowser()]);
    ({ page } = await visit(browser, { viewport: { width: 1280, height: 900 }, bypassCSP: true }));
    await signIn(page);
  });
  after(async () => {
    await browser?.close();
    await Promise.all([vrs?.stop(), site?.stop()]);
  });

  it("have no sections that need a run before the first one", async () => {
    await page.goto(at(PAGE));
    await page.getByText("More settings appear here after the project's first run.").waitFor();
    assert.equal(await page.getByRole("heading", { name: "Retention" }).count(), 0);
    site.pages.set("/", "<!doctype html><title>Shop</title><h1>Shop</h1>");
    const client = vrs.client();
    const { id } = await client.submitRun({ url: site.url, viewports: [400], project: "shop" });
    await client.waitForRun(id);
    await client.approve(id);
  });

  it("change the default branch", async () => {
    await page.goto(at(PAGE));
    const form = page.getByRole("form", { name: "Branches" });
    await form.getByLabel("Default branch").fill("");
    await save("branches");
    const field = form.getByLabel("Default branch");
    await form.getByRole("alert").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await field.fill("trunk");
    await save("branches");
    await page.getByText("Branches saved.").waitFor();
    await page
      .getByRole("list", { name: "Branches with baselines" })
      .getByText("trunk", { exact: true })
      .waitFor();
    assert.equal((await project()).defaultBranch, "trunk");
  });

  it("replace the team's review settings", async () => {
    await page.getByLabel("Approvals per screenshot").selectOption("2 approvals");
    await page.getByLabel("Approval of own runs").selectOption("Not allowed");
    await save("reviews");
    await page.getByText("Reviews saved.").waitFor();
    const { requiredApprovals, allowSelfApproval } = await project();
    assert.deepEqual([requiredApprovals, allowSelfApproval], [2, false]);
  });

  it("count for a decision in the review before the service has it", async () => {
    site.pages.set("/", "<!doctype html><title>Shop</title><h1>Shop</h1><p>Sale</p>");
    const client = vrs.client();
    const { id } = await client.submitRun({ url: site.url, viewports: [400], project: "shop" });
    await client.waitForRun(id);
    const review = await visit(browser, { viewport: { width: 1280, height: 900 } });
    await signIn(review.page);
    // Never answered.
    await review.page.route("**/approve", () => {});
    const settings = review.page.waitForResponse(answer => answer.url().includes("/v1/projects?find=shop"));
    await review.page.goto(at(`/review/${id}`));
    await settings;
    await review.page
      .getByRole("button", { name: /^Approve/ })
      .first()
      .waitFor();
    await review.page.keyboard.press("a");
    await review.page
      .getByText(/1 of 2 approvals/)
      .first()
      .waitFor();
    await review.page.close();
  });

  it("limit how long runs are kept and links open, with errors beside the fields", async () => {
    const days = page.getByLabel("Days to keep runs");
    await days.fill("500");
    await save("retention");
    await page.getByRole("form", { name: "Retention" }).getByRole("alert").waitFor();
    assert.equal(await days.getAttribute("aria-invalid"), "true");
    await days.fill("14");
    await save("retention");
    await page.getByText("Retention saved.").waitFor();
    const links = page.getByLabel("Days until links expire");
    await links.fill("soon");
    await save("shared links");
    await page.getByRole("form", { name: "Shared links" }).getByRole("alert").waitFor();
    await links.fill("7");
    await save("shared links");
    await page.getByText("Shared links saved.").waitFor();
    await links.fill("");
    await page.getByLabel("Show threads on pull requests").selectOption("Never");
    await save("pull request threads");
    await page.getByText("Pull request threads saved.").waitFor();
    const { retentionDays, linkDays, mirrorThreads } = await project();
    assert.deepEqual([retentionDays, linkDays, mirrorThreads], [14, 7, "never"]);
  });

  it("send runs that need review to email addresses", async () => {
    const form = page.getByRole("form", { name: "Email addresses" });
    const field = form.getByLabel("Addresses");
    await field.fill("team@example.com\nnobody");
    await save("email addresses");
    await form.getByText(/^Address 2 must be an email address/).waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await field.fill("team@example.com, ops@example.com");
    await save("email addresses");
    await page.getByText("Email addresses saved.").waitFor();
    assert.equal(await field.inputValue(), "team@example.com\nops@example.com");
    const answer = await vrs.request("/v1/projects/shop/email");
    const { addresses } = projectEmailView.parse(await answer.json());
    assert.deepEqual(addresses, ["team@example.com", "ops@example.com"]);
  });

  it("are inherited by a named build, whose settings name the project", async () => {
    const client = vrs.client();
    const { id } = await client.submitRun({ url: site.url, viewports: [400], project: "shop#unit" });
    await client.waitForRun(id);
    await page.goto(at("/baselines/configuration?project=shop%23unit"));
    const approvals = page.getByLabel("Approvals per screenshot");
    await approvals.getByText("Setting of shop (2 approvals)").waitFor({ state: "attached" });
    assert.equal(await page.locator("option", { hasText: /^Team's setting/ }).count(), 0);
    await page.getByText("These settings replace those of shop for this named build.").waitFor();
    await page.getByText("Empty: shop's 14 days.").waitFor();
    await page.getByText("Empty: shop's 7 days.").waitFor();
    // Its runs get the reviewers and notifications of the project.
    for (const name of ["Add rule", "Add channel"])
      assert.equal(await page.getByRole("button", { name }).count(), 0, name);
    await page
      .getByRole("region", { name: "Notifications" })
      .getByRole("link", { name: "settings of shop" })
      .click();
    await page.getByRole("form", { name: "Email addresses" }).waitFor();
    assert.equal(new URL(page.url()).search, "?project=shop");
  });

  it("are noted as activity", async () => {
    await until(async () => (await noted()).length === 6);
    assert.deepEqual((await noted()).reverse(), [
      { defaultBranch: "trunk", was: "main" },
      { requiredApprovals: "2", allowSelfApproval: "off" },
      { retentionDays: "14" },
      { linkDays: "7" },
      { mirrorThreads: "never" },
      { email: "team@example.com, ops@example.com" },
    ]);
  });

  it("say which of them service.config.ts sets", async () => {
    // The latest run as if it came from a connected repository.
    await page.route("**/v1/runs?project=shop*", async route => {
      const answer = runList.parse(await (await route.fetch()).json());
      const configuredBy = { repository: ["threshold", "masks"], project: [] };
      await route.fulfill({ json: { ...answer, data: answer.data.map(run => ({ ...run, configuredBy })) } });
    });
    await page.goto(at(PAGE));
    await page.getByText(/^In the latest run, service.config.ts set threshold, masks\./).waitFor();
    const wins = (section: string) =>
      page.getByRole("form", { name: section, exact: true }).getByText(/wins over this section/);
    assert.match((await wins("Pages and threshold").textContent()) ?? "", /sets threshold,/);
    assert.match((await wins("Elements").textContent()) ?? "", /sets masks,/);
    assert.equal(await wins("Sessions").count(), 0);
    await page.unrouteAll();
  });

  it("have sections that links open, also while the page loads", async () => {
    const isInView = (id: string) =>
      page.locator(`#${id}`).evaluate(heading => {
        const { top } = heading.getBoundingClientRect();
        return top >= 0 && top < innerHeight;
      });
    await page.goto(at(`${PAGE}#retention`));
    await until(() => isInView("retention"));
    await page
      .getByRole("navigation", { name: "Sections of the settings" })
      .getByRole("link", { name: "Ignore rules" })
      .click();
    await until(() => isInView("ignore-rules"));
    assert.equal(new URL(page.url()).hash, "#ignore-rules");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "ignore-rules");
    await page.goBack();
    assert.equal(new URL(page.url()).hash, "#retention");
    await assertAccessible(page);
  });

  it("are read-only for reviewers, and fit a narrow window", async () => {
    const made = await vrs.request("/v1/keys", {
      method: "POST",
      body: JSON.stringify({ name: "reviewer", role: "reviewer" }),
      headers: { "Content-Type": "application/json" },
    });
    const { key } = createdKey.parse(await made.json());
    const reader = await visit(browser, { viewport: { width: 390, height: 844 }, bypassCSP: true });
    await signIn(reader.page, key);
    await reader.page.goto(at(PAGE));
    await reader.page.getByText("Runs are kept for 14 days.").waitFor();
    await reader.page.getByText("2 approvals per screenshot. Approval of own runs: not allowed.").waitFor();
    assert.equal(await reader.page.getByRole("button", { name: /^Save / }).count(), 0);
    await reader.page.getByRole("list", { name: "Email addresses" }).getByText("ops@example.com").waitFor();
    const width = await reader.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${width} px`);
    await assertAccessible(reader.page);
    await reader.page.close();
  });
});
