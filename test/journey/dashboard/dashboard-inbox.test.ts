import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { inbox } from "../../../shared/contracts/reviews/inbox.ts";
import { noticePreferencesView } from "../../../shared/contracts/teams/notices.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { account, BrowserClient } from "../../support/drivers/browser/browser-client.ts";
import { launchBrowser, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { CodeHostServer } from "../../support/fakes/code-host/code-host.ts";
import { Site } from "../../support/fixtures/site.ts";
import { MailServer } from "../../support/servers/mail-server.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SHA = "3f9c1aa0".repeat(5);

describe("Reviewing together", () => {
  let host: CodeHostServer;
  let mails: MailServer;
  let vrs: Vrs;
  let site: Site;
  let browser: Browser;
  let ada: Page;
  let bob: Page;
  const complaints: string[][] = [];

  const at = (path: string) => `${vrs.baseUrl}/${path}`;

  /** Signs a user in, and returns a page of their browser. */
  const enter = async (login: string): Promise<Page> => {
    await vrs.post("/v1/teams", { teamId: DEFAULT_TEAM_ID, add: [{ login, role: "reviewer" }] });
    const client = new BrowserClient(vrs.baseUrl);
    const emails = [{ email: `${login}@example.com`, verified: true }];
    const answer = await client.signIn(host, account({ login, emails }));
    assert.equal(answer.status, 302);
    const visited = await visit(browser, { viewport: { width: 1280, height: 800 }, bypassCSP: true });
    complaints.push(visited.complaints);
    await visited.page
      .context()
      .addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: vrs.baseUrl })));
    return visited.page;
  };
  const run = async (body: object): Promise<string> => {
    const { id } = await vrs.client().submitRun({ url: site.url, project: "acme/shop", ...body });
    await vrs.client().waitForRun(id);
    return id;
  };
  const rows = (page: Page) => page.locator(".inbox-item");

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [host, mails, site, browser] = await Promise.all([
      CodeHostServer.start(),
      MailServer.start(),
      Site.start(),
      launchBrowser(),
    ]);
    vrs = await Vrs.start({ ...host.env, ...mails.env, NOTICE_DELAY_SECONDS: "1" });
    const text = (color: string) =>
      `<body style="margin:0;font:16px sans-serif"><h1 style="padding:24px;background:${color}">Shop</h1><p style="height:900px;padding:24px">Text</p>`;
    for (const route of ["/", "/pricing", "/about"]) site.pages.set(route, text("#ddd"));
    const routes = ["/", "/pricing", "/about"];
    const first = await run({ routes, viewports: [800] });
    await vrs.post(`/v1/baselines/${first}/approve`, {});
    for (const route of routes) site.pages.set(route, text("#fc8"));
    [ada, bob] = [await enter("ada"), await enter("bob")];
  });
  after(async () => {
    await browser?.close();
    await vrs?.stop();
    await Promise.all([site?.stop(), host?.close(), mails?.close()]);
  });

  let runId: string;

  it("teaches what the inbox is for while it is empty", async () => {
    await bob.goto(at("inbox"));
    await bob.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();
    await bob.getByText("/v1/projects/acme%2Fshop/reviewers").waitFor();
    await assertAccessible(bob);
  });

  it("assigns reviewers by a rule that an admin wrote, and counts them in the navigation", async () => {
    const rules = { rules: [{ routes: ["/pricing*"], reviewers: ["bob"] }] };
    const saved = await vrs.request("/v1/projects/acme%2Fshop/reviewers", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(rules),
    });
    assert.equal(saved.status, 200, await saved.clone().text());
    const scm = { owner: "acme", repo: "shop", sha: SHA, pr: 482, branch: "fix-header" };
    const extra = { author: "ada", message: "Fix the header on small screens" };
    const routes = ["/", "/pricing", "/about"];
    await run({ routes, viewports: [800], scm: { ...scm, sha: "1".repeat(40) } });
    runId = await run({ routes, viewports: [800], scm: { ...scm, ...extra } });
    const count = bob.locator("nav .nav-count");
    await count.waitFor();
    assert.equal(await count.textContent(), "1");
    const row = rows(bob).first();
    await row.getByText("Fix the header on small screens").waitFor();
    await row.getByText("by ada").waitFor();
    await row.getByText("#482").waitFor();
    await row.getByText("3 screenshots to review").waitFor();
    // The thumbnail is made for the first request.
    const image = () => row.locator(".inbox-shot image").first().getAttribute("href");
    await until(async () => Boolean(await image()));
    assert.doesNotMatch((await image()) ?? "", /^https?:/, "shown under any name of the service");
    await row.getByRole("button", { name: "Replaces 1 earlier run" }).click();
    await row.getByRole("list", { name: "Earlier runs" }).getByRole("link").waitFor();
    assert.equal(await rows(bob).count(), 1, "the replaced run is folded");
    await assertAccessible(bob);
  });

  it("moves and filters with keys, and opens the review with Enter", async () => {
    await bob.keyboard.press("2");
    await bob.waitForURL(/filter=all/);
    await bob.keyboard.press("3");
    await bob.getByRole("heading", { name: "No open mentions" }).waitFor();
    await bob.keyboard.press("1");
    await rows(bob).first().waitFor();
    await bob.keyboard.press("ArrowDown");
    await bob.keyboard.press("Enter");
    await bob.waitForURL(new RegExp(`review/${runId}`));
  });

  it("mails a reviewer once about a run, with a link that stops these mails", async () => {
    await until(() => mails.to("bob@example.com").length > 0);
    const { mail } = mails.only("bob@example.com");
    assert.equal(mail.subject, "Review needed: 3 screenshots in acme/shop #482");
    const link = /Stop these emails: (\S+)/.exec(mail.text ?? "")?.[1] ?? assert.fail(mail.text);
    const stranger = await visit(browser);
    await stranger.page.goto(link);
    await stranger.page.getByText("Runs that need your review").waitFor();
    const reviews = async () =>
      noticePreferencesView.parse(await (await bob.request.get(at("v1/account/notices"))).json()).reviews;
    assert.equal(await reviews(), "assigned", "a preview of the link changes nothing");
    await stranger.page.getByRole("button", { name: "Stop these emails" }).click();
    await stranger.page.getByRole("heading", { name: "Emails stopped" }).waitFor();
    assert.equal(await reviews(), "none");
    const forged = await fetch(link.replace("/review/", "/mention/"), { method: "POST" });
    assert.equal(forged.status, 401);
    await stranger[Symbol.asyncDispose]();
  });

  it("completes a mention in a comment, and mails and lists it for the mentioned member", async () => {
    await bob.goto(at(`review/${runId}`));
    await bob.locator(".shot-heading h2").waitFor();
    await bob.keyboard.press("t");
    const field = bob.getByRole("combobox", { name: "Comment", exact: true });
    await field.click();
    await bob.keyboard.type("Is this right, @A");
    const options = bob.getByRole("listbox", { name: "Members to mention" }).getByRole("option");
    await options.first().waitFor();
    assert.deepEqual(await options.allInnerTexts(), ["@ada Somebody"]);
    await assertAccessible(bob);
    await bob.keyboard.press("Enter");
    assert.equal(await field.inputValue(), "Is this right, @ada ");
    await bob.keyboard.press("Control+Enter");
    await bob.locator(".comment .mention", { hasText: "@ada" }).waitFor();
    await until(() => mails.to("ada@example.com").length > 0);
    const { mail } = mails.only("ada@example.com");
    assert.equal(mail.subject, "bob mentioned you in acme/shop #482");
    const link = /Open comment: (\S+)/.exec(mail.text ?? "")?.[1] ?? assert.fail(mail.text);
    await ada.goto(link);
    await ada.locator('.mention[data-me="true"]').waitFor();
    await ada.goto(at("inbox?filter=mentions"));
    await rows(ada).getByRole("link", { name: "Is this right, @ada" }).click();
    const reply = ada.getByRole("combobox", { name: "Reply" });
    await reply.fill("It is.");
    await ada.keyboard.press("Control+Enter");
    await ada.locator(".comment", { hasText: "It is." }).waitFor();
    await ada.goto(at("inbox"));
    await ada.getByRole("heading", { name: "Nothing is waiting for you" }).waitFor();
  });

  it("assigns reviewers by hand on the run's page", async () => {
    await ada.goto(at(`runs/${runId}`));
    await ada.locator(".run-reviewers", { hasText: "bob (by rule)" }).waitFor();
    await ada.getByRole("button", { name: "Change reviewers" }).click();
    await ada.getByRole("checkbox", { name: "ada" }).check();
    await assertAccessible(ada);
    await ada.getByRole("button", { name: "Save reviewers" }).click();
    await ada.locator(".run-reviewers", { hasText: "bob (by rule), ada" }).waitFor();
    await ada.goto(at("inbox"));
    await rows(ada).first().waitFor();
  });

  it("tells the author of the pull request of the decision, not the reviewer", async () => {
    await bob.goto(at("inbox?filter=all"));
    await rows(bob).first().waitFor();
    const body = JSON.stringify({ note: "Looks good" });
    const status = await bob.evaluate(
      async ([path, note]) =>
        (
          await fetch(path ?? "", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: note ?? "",
          })
        ).status,
      [at(`v1/baselines/${runId}/approve`), body],
    );
    assert.equal(status, 200);
    const approved = () =>
      mails.to("ada@example.com").filter(({ mail }) => /approved/.test(mail.subject ?? ""));
    await until(() => approved().length > 0);
    assert.equal(approved()[0]?.mail.subject, "bob approved acme/shop #482");
    assert.match(approved()[0]?.mail.text ?? "", /Reason: Looks good/);
    const subjects = mails.to("bob@example.com").map(({ mail }) => mail.subject ?? "");
    assert.ok(!subjects.some(subject => /approved/.test(subject)), subjects.join(", "));
    await bob.getByRole("heading", { name: "No run needs review" }).waitFor();
    const { counts } = inbox.parse(await (await bob.request.get(at("v1/inbox"))).json());
    assert.deepEqual(counts, { mine: 0, all: 0, mentions: 0 });
  });

  it("saves what a member wants to be notified of", async () => {
    await ada.goto(at("settings/account"));
    await ada.getByText("Emails go to ada@example.com").waitFor();
    await ada.getByRole("radio", { name: "All of my teams" }).check();
    await ada.getByText("Notifications saved.").first().waitFor();
    await ada.getByRole("checkbox", { name: /Monitors of my teams/ }).check();
    await until(async () => {
      const view = noticePreferencesView.parse(
        await (await ada.request.get(at("v1/account/notices"))).json(),
      );
      return view.reviews === "all" && view.monitors;
    });
    await assertAccessible(ada);
    const asKey = await vrs.request("/v1/account/notices");
    assert.equal(asKey.status, 409);
  });

  it("shows and saves rules and the chat channel of a project", async () => {
    const admin = await visit(browser, { viewport: { width: 1280, height: 800 } });
    const { page } = admin;
    await page.goto(at("sign-in"));
    await page.getByLabel("API key").fill(vrs.key);
    await page.getByRole("button", { name: "Sign in with API key" }).click();
    await page.locator(".runs").waitFor();
    await page.goto(at("baselines/configuration?project=acme/shop"));
    await page.getByRole("button", { name: "Add rule" }).click();
    const rule = page.getByRole("group", { name: "Rule 2" });
    await rule.getByLabel("Routes (one per line)").fill("/\n/about*");
    await rule.getByLabel("Reviewers (logins, separated by commas)").fill("@ada, nobody");
    await page.getByRole("button", { name: "Save rules" }).click();
    await page
      .getByText(/not a member of the team/)
      .first()
      .waitFor();
    await rule.getByLabel("Reviewers (logins, separated by commas)").fill("ada");
    await page.getByRole("button", { name: "Save rules" }).click();
    await page.getByText("Rules saved.").first().waitFor();
    await page.getByRole("button", { name: "Add channel" }).click();
    await page.getByLabel("Incoming webhook URL").fill("https://localhost/services/T0/B0/secret-part");
    await page.getByRole("button", { name: "Save channel" }).click();
    await page.getByText("localhost/…part").waitFor();
    await page.getByRole("button", { name: "Remove channel of acme/shop" }).click();
    await page.getByRole("button", { name: "Remove channel", exact: true }).click();
    await page.getByText("No chat channel is set.").waitFor();
    await admin[Symbol.asyncDispose]();
  });

  it("emits no errors", () => assert.deepEqual(complaints.flat(), []));
});
