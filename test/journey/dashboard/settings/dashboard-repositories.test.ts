import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { Page } from "playwright";
import { assertAccessible } from "../../../support/drivers/browser/axe.ts";
import { Dashboard } from "../../../support/drivers/browser/dashboard.ts";
import { GiteaRepository } from "../../../support/fakes/gitea/gitea-repository.ts";
import { GiteaServer } from "../../../support/fakes/gitea/gitea-server.ts";
import { GitLabProject } from "../../../support/fakes/gitlab/gitlab-project.ts";
import { GitLabServer } from "../../../support/fakes/gitlab/gitlab-server.ts";

describe("Repositories in the dashboard", () => {
  let on: Dashboard;
  let gitlab: GitLabServer;
  let gitea: GiteaServer;
  let page: Page;
  const project = new GitLabProject("acme/web", "shop");
  const repository = new GiteaRepository("acme", "app");

  const button = (name: string) => on.button(name);
  const row = (name: string) => on.item(name);
  const tokenOf = (tokens: Map<string, unknown>) => [...tokens.keys()].at(-1) ?? "";

  before(async () => {
    [gitlab, gitea] = await Promise.all([GitLabServer.start(), GiteaServer.start()]);
    gitlab.addProject(project);
    gitea.addRepository(repository);
    on = await Dashboard.start({ SERVICE_ALLOW_HOSTS: "127.0.0.1,localhost" });
    page = on.page;
  });
  after(() => Promise.all([on?.stop(), gitlab?.close(), gitea?.close()]));

  const connect = async (host: string, url: string, path: string, token: string) => {
    await button("Connect repository").first().click();
    const form = on.dialog();
    await form.getByLabel("Code host").selectOption({ label: host });
    await form.getByLabel("Address of the instance").fill(url);
    await form.getByLabel("Repository", { exact: true }).fill(path);
    await form.getByLabel("Access token").fill(token);
    await on.submit("Connect repository");
    return form;
  };

  it("are connected with a token, whose errors say what to fix, and a secret that is shown once", async () => {
    await on.openSettings("Repositories");
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
    await on.submit("Connect repository");
    await page.getByText("vrs created the webhook.").waitFor();
    const [hook] = project.hooks;
    assert.ok(hook);
    const shown = await on.dialog().textContent();
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
    await on.dialog().getByLabel("Access token").fill(tokenOf(gitea.tokens));
    await on.submit("Replace token");
    await row(repository.path).getByText("Connected", { exact: true }).waitFor();
    const before = repository.hooks[0]?.secret;
    await on.confirm("Rotate webhook secret", row(repository.path));
    await page.getByText("vrs created the webhook.").waitFor();
    const shown = await on.dialog().textContent();
    assert.ok(shown?.includes(repository.hooks[0]?.secret ?? "?"));
    assert.notEqual(repository.hooks[0]?.secret, before);
    await button("Done").click();
  });

  it("are disconnected after a question", async () => {
    await on.confirm("Disconnect", row(repository.path));
    await row(repository.path).waitFor({ state: "detached" });
    assert.deepEqual(repository.hooks, []);
    assert.deepEqual([gitlab.complaints, gitea.complaints], [[], []]);
  });
});
