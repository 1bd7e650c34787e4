import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, visit } from "../../support/drivers/browser/report-browser.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { problemOf } from "../../support/formats/problem.ts";

const ROOT = join(import.meta.dirname, "../../..");

describe("The docs", () => {
  let vrs: Vrs;
  let browser: Browser;
  const at = (path: string) => `${vrs.baseUrl}${path}`;

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-docs.mjs")]);
    [vrs, browser] = await Promise.all([Vrs.start(), launchBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await vrs?.stop();
  });

  it("are served under a policy without foreign inline scripts, and load nothing from elsewhere", async () => {
    const answer = await fetch(at("/docs"));
    const html = await answer.text();
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'; script-src 'self'(?: 'sha256-[\w+/=]+')*; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.doesNotMatch(html, /<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//);
  });

  it("cache scripts permanently, compressed, and revalidate pages", async () => {
    const page = await fetch(at("/docs/guides/review-changes"));
    assert.equal(page.headers.get("cache-control"), "no-cache");
    const script = /src="(\/docs\/assets\/app[^"]+\.js)"/.exec(await page.text())?.[1] ?? "";
    const part = await fetch(at(script), { headers: { "Accept-Encoding": "gzip" } });
    assert.equal(part.headers.get("content-encoding"), "gzip");
    assert.match(part.headers.get("cache-control") ?? "", /immutable/);
    assert.equal(part.headers.get("content-type"), "text/javascript; charset=utf-8");
  });

  it("answer an unknown URL with a page for browsers and a problem for programs, and serve nothing outside the site", async () => {
    const page = await fetch(at("/docs/guides/none"), { headers: { Accept: "text/html" } });
    assert.equal(page.status, 404);
    assert.match(await page.text(), /<title>404/);
    await problemOf(await fetch(at("/docs/guides/none")), "not_found");
    for (const path of ["/docs/..%2f..%2fpackage.json", "/docs/%2e%2e%2fconfig.ts", "/docs/sources.sha256"])
      assert.equal((await fetch(at(path))).status, 404, path);
  });

  it("run in a browser without errors, with navigation, search, and light and dark", async () => {
    await using visited = await visit(browser);
    const { page, complaints } = visited;
    await page.goto(at("/docs"));
    await page.getByRole("link", { name: "Review changes" }).first().click();
    await page.waitForURL(at("/docs/guides/review-changes"));
    await page.getByRole("heading", { name: "Review changes", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByRole("searchbox").fill("merge base");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
    const before = await isDark();
    await page.getByRole("switch").first().click();
    assert.equal(await isDark(), !before);
    assert.deepEqual(complaints, []);
  });

  it("show code in colors under that policy, in light and dark, opened directly or by a link", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using visited = await visit(browser, { colorScheme });
      const { page, complaints } = visited;
      /** Returns the colors of the page's longest code block. */
      const colors = () =>
        page.evaluate(() => {
          const [longest] = [...document.querySelectorAll("pre.shiki")].toSorted(
            (a, b) => b.querySelectorAll(".line > span").length - a.querySelectorAll(".line > span").length,
          );
          const tokens = [...(longest?.querySelectorAll(".line > span") ?? [])];
          return [...new Set(tokens.map(token => getComputedStyle(token).color))].toSorted();
        });
      await page.goto(at("/docs/guides/write-a-plugin"));
      await page.getByRole("heading", { level: 1 }).waitFor();
      const opened = await colors();
      assert.ok(opened.length >= 3, `${colorScheme}: ${opened}`);
      for (const path of [
        "/docs",
        "/docs/tutorials/service",
        "/docs/explanation/stability",
        "/docs/reference/api",
      ]) {
        await page.goto(at(path));
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        assert.equal(await page.locator("[style*='--shiki']").count(), 0);
      }
      await page.locator(".VPSidebar a[href='/docs/guides/write-a-plugin']").click();
      await page.waitForURL(at("/docs/guides/write-a-plugin"));
      await page.locator(".vp-doc pre.shiki").first().waitFor();
      assert.deepEqual(await colors(), opened, "also where the page's script draws them");
      assert.deepEqual(complaints, []);
    }
  });

  it("describe each error's type and its fix", async () => {
    await using visited = await visit(browser);
    await visited.page.goto(at("/docs#invalid_request"));
    await visited.page.waitForURL(/\/docs\/reference\/errors#invalid_request$/);
    await visited.page.getByRole("heading", { name: "invalid_request" }).waitFor();
  });

  it("are accessible in light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using visited = await visit(browser, { colorScheme, reducedMotion: "reduce", bypassCSP: true });
      await visited.page.goto(at("/docs/explanation/stability"));
      await visited.page.getByRole("heading", { level: 1 }).waitFor();
      await assertAccessible(visited.page);
    }
  });
});
