import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { after, before, describe, it } from "mocha";
import type { Browser, Page } from "playwright";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { GiteaRepository } from "../../support/fakes/gitea/gitea-repository.ts";
import { GiteaServer } from "../../support/fakes/gitea/gitea-server.ts";
import { GitLabProject } from "../../support/fakes/gitlab/gitlab-project.ts";
import { GitLabServer } from "../../support/fakes/gitlab/gitlab-server.ts";

const ROOT = join(import.meta.dirname, "../../..");

describe("Repositories in the dashboard", () => {
  let vrs: Vrs;
  let gitlab: GitLabServer;
  let gitea: GiteaServer;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  const project = new GitLabProject("acme/web", "shop");
  const repository = new GiteaRepository("acme", "app");

  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  const tokenOf = (tokens: Map<string, unknown>) => [...tokens.keys()].at(-1) ?? "";

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [gitlab, gitea] = await Promise.all([GitLabServer.start(), GiteaServer.start()]);
    gitlab.addProject(project);
    gitea.addRepository(repository);
    const env = { SERVICE_ALLOW_HOSTS: "127.0.0.1,localhost" };
    [vrs, browser] = await Promise.all([Vrs.start(env), launchBrowser()]);
    visited = await visit(browser, { viewport: { width: 1440, height: 900 }, bypassCSP: true });
    page = visited.page;
    await page.goto(`${vrs.baseUrl}/sign-in`);
    await page.getByLabel("API key").fill(vrs.key);
    await button("Sign in with API key").click();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
  });
  after(async () => {
    await browser?.close();
    await Promise.all([vrs?.stop(), gitlab?.close(), gitea?.close()]);
  });

  const connect = async (host: string, url: string, path: string, token: string) => {
    await button("Connect repository").first().click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Code host").selectOption({ label: host });
    await form.getByLabel("Address of the instance").fill(url);
    await form.getByLabel("Repository", { exact: true }).fill(path);
    await form.getByLabel("Access token").fill(token);
    await form.getByRole("button", { name: "Connect repository" }).click();
    return form;
  };

  it("are connected with a token, whose errors say what to fix, and a secret that is shown once", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Repositories" }).click();
    await page.getByText("No repositories are connected.").waitFor();
    const form = await connect("GitLab", gitlab.url, project.path, "glpat-unknown");
    const failure = form.getByText(/GitLab rejects it/);
    await failure.waitFor();
    const token = form.getByLabel("Access token");
    const described = (await token.getAttribute("aria-describedby")) ?? "";
    assert.ok(described.split(" ").includes((await failure.getAttribute("id")) ?? "none"));
    assert.match((await failure.textContent()) ?? "", /^Access token /, "not the name in the API");
    gitlab.addToken();
    await form.getByLabel("Access token").fill(tokenOf(gitlab.tokens));
    await form.getByRole("button", { name: "Connect repository" }).click();
    await page.getByText("vrs created the webhook.").waitFor();
    const [hook] = project.hooks;
    assert.ok(hook);
    const shown = await page.getByRole("dialog").textContent();
    assert.ok(shown?.includes(hook.url) && shown.includes(hook.token));
    await button("Done").click();
    await row(project.path).getByText("Connected", { exact: true }).waitFor();
    const content = await page.content();
    assert.ok(!content.includes(hook.token) && !content.includes(tokenOf(gitlab.tokens)));
  });

  it("show the URL of a webhook that members have to create", async () => {
    gitea.addToken({ isAdmin: false });
    await connect("Gitea or Forgejo", gitea.url, repository.path, tokenOf(gitea.tokens));
    await page.getByText(/Create a webhook at the code host with this URL and this secret/).waitFor();
    await button("Done").click();
    await row(repository.path).getByText("No webhook").waitFor();
    await row(repository.path)
      .getByText(/codehost\/connections\/con_\w+\/webhook/)
      .waitFor();
    await assertAccessible(page);
  });

  it("have no address at a code host that has only one", async () => {
    await button("Connect repository").first().click();
    const form = page.getByRole("dialog");
    const address = form.getByLabel("Address of the instance");
    await form.getByLabel("Code host").selectOption({ label: "Bitbucket Cloud" });
    await address.waitFor({ state: "detached" });
    await form.getByText(/repository, project or workspace access token/).waitFor();
    await form.getByLabel("Code host").selectOption({ label: "GitLab" });
    await address.waitFor();
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
  });

  it("get a new token and a new secret", async () => {
    gitea.addToken();
    await row(repository.path).getByRole("button", { name: "Replace token" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Access token").fill(tokenOf(gitea.tokens));
    await form.getByRole("button", { name: "Replace token" }).click();
    await row(repository.path).getByText("Connected", { exact: true }).waitFor();
    const before = repository.hooks[0]?.secret;
    await row(repository.path).getByRole("button", { name: "Rotate webhook secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate webhook secret" }).click();
    await page.getByText("vrs created the webhook.").waitFor();
    const shown = await page.getByRole("dialog").textContent();
    assert.ok(shown?.includes(repository.hooks[0]?.secret ?? "?"));
    assert.notEqual(repository.hooks[0]?.secret, before);
    await button("Done").click();
  });

  it("are disconnected after a question", async () => {
    await row(repository.path).getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await row(repository.path).waitFor({ state: "detached" });
    assert.deepEqual(repository.hooks, []);
    assert.deepEqual([gitlab.complaints, gitea.complaints], [[], []]);
  });
});
