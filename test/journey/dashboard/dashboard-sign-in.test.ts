import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { createdTeam } from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, visit } from "../../support/drivers/browser/report-browser.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { OIDC_CLIENT, OidcServer } from "../../support/servers/oidc-server.ts";

const ROOT = join(import.meta.dirname, "../../..");

describe("The dashboard of a team that requires its provider", () => {
  let provider: OidcServer;
  let vrs: Vrs;
  let browser: Browser;

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    provider = await OidcServer.start();
    [vrs, browser] = await Promise.all([Vrs.start(provider.env), launchBrowser()]);
    provider.register(vrs.baseUrl, "default");
  });
  after(async () => {
    await browser?.close();
    await vrs?.stop();
    await provider?.close();
  });

  it("leads from another session to the sign-in page", async () => {
    await using visited = await visit(browser);
    const { page } = visited;
    const made = await vrs.post("/v1/keys", { name: "viewer", role: "viewer" });
    await page.goto(`${vrs.baseUrl}/settings/team`);
    await page.getByLabel("API key").fill(createdKey.parse(await made.json()).key);
    await page.getByRole("button", { name: "Sign in with API key" }).click();
    await page.getByRole("heading", { name: "Members" }).first().waitFor();
    const enforced = await fetch(`${vrs.baseUrl}/v1/teams/${DEFAULT_TEAM_ID}/sign-in`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${vrs.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ defaultRole: "viewer", groupRoles: [], enforced: true }),
    });
    assert.equal(enforced.status, 200);
    await page.reload();
    await page.getByText(/only allows sign-in with its identity provider/).waitFor();
    await assertAccessible(page);
    await page.getByRole("link", { name: "Sign in again" }).click();
    await page.getByRole("link", { name: "Sign in with Acme ID" }).click();
    await page.waitForURL(/\/interaction\//);
  });

  it("says that members keep their roles when the last group is removed", async () => {
    await using visited = await visit(browser);
    const { page } = visited;
    const answer = await fetch(`${vrs.baseUrl}/v1/teams/${DEFAULT_TEAM_ID}/sign-in`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${vrs.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        ...{ defaultRole: null, groupRoles: [{ group: "qa", role: "reviewer" }], enforced: false },
      }),
    });
    assert.equal(answer.status, 200, await answer.text());
    await page.goto(`${vrs.baseUrl}/settings/sign-in`);
    await page.getByLabel("API key").fill(vrs.key);
    await page.getByRole("button", { name: "Sign in with API key" }).click();
    await page.getByRole("button", { name: "Remove group qa" }).click();
    await page.getByText("Without groups, all members keep their roles.").waitFor();
    await page.getByRole("button", { name: "Save rules" }).click();
    await page.getByText("No groups yet.").waitFor();
  });

  it("offers the provider of the team that a link names, and of the one that was used last", async () => {
    await using visited = await visit(browser);
    const { page } = visited;
    const { id, key = "" } = createdTeam.parse(
      await (await vrs.post("/v1/teams", { name: "Hosted" })).json(),
    );
    const own = await OidcServer.start();
    try {
      own.register(vrs.baseUrl, id);
      const answer = await fetch(`${vrs.baseUrl}/v1/teams/${id}/provider`, {
        method: "PUT",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify({
          ...{ name: "Hosted ID", issuer: own.issuer },
          ...{ clientId: OIDC_CLIENT.id, clientSecret: OIDC_CLIENT.secret },
        }),
      });
      assert.equal(answer.status, 200, await answer.text());
      await page.goto(`${vrs.baseUrl}/sign-in`);
      await page.getByRole("link", { name: "Sign in with Acme ID" }).waitFor();
      assert.equal(await page.getByRole("link", { name: "Sign in with Hosted ID" }).count(), 0);
      await page.goto(`${vrs.baseUrl}/sign-in?team=${id}`);
      await page.getByRole("link", { name: "Sign in with Hosted ID" }).waitFor();
      await page.getByRole("link", { name: "Sign in with Acme ID" }).waitFor();
      await assertAccessible(page);
      await page.evaluate(team => sessionStorage.setItem("vrs-team", team), id);
      await page.goto(`${vrs.baseUrl}/sign-in`);
      await page.getByRole("link", { name: "Sign in with Hosted ID" }).click();
      await page.waitForURL(url => url.href.startsWith(own.issuer));
    } finally {
      await own.close();
    }
  });
});
