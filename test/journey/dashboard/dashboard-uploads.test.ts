import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { BuildClient, hashOf, picture } from "../../support/drivers/build-client.ts";
import { Vrs } from "../../support/drivers/vrs.ts";

const ROOT = join(import.meta.dirname, "../../..");
const LOG = Buffer.from("GET /cart 500");
const TRACE = "https://ci.example.com/artifacts/trace.zip?id=7";
const TEST = {
  ...{ testFile: "test/cart.spec.ts", line: 12, titlePath: ["Cart", "shows the total"], retry: 1 },
  ...{ browser: "Firefox 140.0", tags: ["@smoke", "@cart"], url: "https://shop.example.com/cart" },
  attachments: [
    { name: "trace", url: TRACE },
    { name: "video", url: "https://ci.example.com/artifacts/video.webm" },
  ],
};

/** Returns a screenshot with a trace of a page, and a text. */
async function withTrace<Shot extends { attachments: object[] }>(browser: Browser, shot: Shot) {
  const folder = await mkdtemp(join(tmpdir(), "vrs-trace-"));
  const context = await browser.newContext();
  await context.tracing.start({ screenshots: true, snapshots: true });
  const page = await context.newPage();
  await page.setContent("<h1>Total: 12 EUR</h1><p>Recorded</p>");
  await page.locator("h1").click();
  await context.tracing.stop({ path: join(folder, "trace.zip") });
  await context.close();
  const trace = await readFile(join(folder, "trace.zip"));
  await rm(folder, { recursive: true });
  const attachments = [
    ...shot.attachments,
    { name: "trace (attempt 2)", hash: hashOf(trace) },
    { name: "console", hash: hashOf(LOG) },
  ];
  return { trace, shots: [{ ...shot, attachments }] };
}

describe("Uploaded screenshots in the dashboard", () => {
  let vrs: Vrs;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  let client: BuildClient;
  let runId: string;

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [vrs, browser] = await Promise.all([Vrs.start(), launchBrowser()]);
    visited = await visit(browser, { viewport: { width: 1440, height: 900 } });
    page = visited.page;
    client = new BuildClient(vrs);
    const build = (sha: string) => ({
      scm: { owner: "acme", repo: "shop", sha: sha.repeat(40), branch: "main" },
      threshold: 0,
    });
    const bytes = await picture("white", { width: 900, height: 500, block: "navy" });
    const { id: first } = await client.upload(build("a"), [{ name: "Cart", bytes }]);
    await client.ended(first);
    await client.approve(first);
    const changed = await picture("white", { width: 910, height: 500, block: "teal" });
    const { trace, shots } = await withTrace(browser, { name: "Cart", bytes: changed, ...TEST });
    const created = await client.create(build("b"), shots);
    await client.send(created, shots);
    await client.sendAttachments(created, [trace, LOG]);
    const { id } = await client.finalize(created.id);
    await client.ended(id);
    runId = id;
    await page.goto(`${vrs.baseUrl}/runs`);
    await page.getByLabel("API key").fill(vrs.key);
    await page.getByRole("button", { name: "Sign in with API key" }).click();
    await page.locator(".run-row").first().waitFor();
    // A visitor without a session is asked to sign in.
    visited.complaints.length = 0;
  });
  after(async () => {
    await browser?.close();
    await vrs?.stop();
  });

  it("name their source in the list of runs, and in their run", async () => {
    const row = page.locator(".run-row .run-what").first();
    await row.getByText("main · bbbbbbb · uploaded screenshots").waitFor();
    await page.goto(`${vrs.baseUrl}/runs/${runId}`);
    const facts = page.locator(".run-facts");
    await facts.waitFor();
    assert.match((await facts.innerText()).replaceAll(/\s+/g, " "), /Source Uploaded screenshots/);
    await page.locator("article.card").getByText("Test: test/cart.spec.ts:12 › Cart › shows").waitFor();
  });

  it("have no progress of a capture while they are uploaded", async () => {
    const build = { project: "open", parallel: { nonce: "1", total: 2 }, shard: "1" };
    const shots = [{ name: "Cart", bytes: await picture("olive") }];
    const { id } = await client.create(build, shots);
    await page.goto(`${vrs.baseUrl}/runs/${id}`);
    await page.locator(".run .detail", { hasText: "The screenshots are being uploaded." }).waitFor();
    await page.goto(`${vrs.baseUrl}/runs`);
    const row = page.locator(".run-row", { hasText: "open" });
    await row.locator(".run-counts", { hasText: "Uploading" }).waitFor();
    await client.post(`/v1/runs/${id}/cancel`, {});
  });

  it("show their test with links to its attachments in the review", async () => {
    await page.goto(`${vrs.baseUrl}/review/${runId}`);
    await page.locator("summary", { hasText: /^Test$/ }).click();
    const panel = page.locator("details[open] .facts");
    const text = (await panel.innerText()).replaceAll(/\s+/g, " ");
    assert.match(text, /^File test\/cart\.spec\.ts:12 Title Cart › shows the total Tags @smoke, @cart/);
    assert.match(text, /Retries 1\. This is the screenshot of the last attempt\./);
    const links = await panel
      .getByRole("link")
      .evaluateAll(found => found.map(link => [link.textContent, link.getAttribute("href")]));
    assert.deepEqual(links, [
      ["https://shop.example.com/cart", "https://shop.example.com/cart"],
      ["trace", TRACE],
      ["open trace", `https://trace.playwright.dev/?trace=${encodeURIComponent(TRACE)}`],
      ["video", "https://ci.example.com/artifacts/video.webm"],
      ["trace (attempt 2)", links[4]?.[1]],
      ["open trace", links[5]?.[1]],
      ["console", links[6]?.[1]],
    ]);
    assert.match(text, /trace \(attempt 2\) \(\d+ kB\) · open trace console \(1 kB\)$/);
    await assertAccessible(page);
    await page.locator("summary", { hasText: "Details" }).click();
    const details = (await page.locator("details[open] .facts").innerText()).replaceAll(/\s+/g, " ");
    assert.match(details, /Browser Firefox 140\.0/);
    assert.doesNotMatch(details, /Stable/);
    await page.setViewportSize({ width: 375, height: 800 });
    const [name, width] = await Promise.all(
      [".page-route", ".quiet"].map(part => page.locator(`.shot-heading h2 ${part}`).boundingBox()),
    );
    assert.ok(name && width && name.x + name.width <= width.x, "the name is beside the width");
    assert.deepEqual(visited.complaints, []);
  });

  it("open uploaded traces in Playwright's viewer, which can't reach anything else", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${vrs.baseUrl}/runs/${runId}`);
    const card = page.locator("article.card");
    const first = card.getByRole("link", { name: "Open trace" });
    assert.match((await first.getAttribute("href")) ?? "", /^https:\/\/trace\.playwright\.dev/);
    await page.goto(`${vrs.baseUrl}/review/${runId}`);
    await page.locator("summary", { hasText: /^Test$/ }).click();
    const opened = page.waitForEvent("popup");
    await page.locator("details[open] .attachments a", { hasText: "open trace" }).last().click();
    const viewer = await opened;
    await viewer.getByText("Click", { exact: false }).first().click();
    const snapshot = viewer.frameLocator("iframe.snapshot-visible");
    await snapshot.getByRole("heading", { name: "Total: 12 EUR" }).waitFor();
    const answers = await viewer.evaluate(async () => {
      const trace = new URLSearchParams(location.search).get("trace") ?? "";
      const policyOf = async (url: string) => (await fetch(url)).headers.get("content-security-policy");
      const other = new URLSearchParams({ trace: "https://elsewhere.example/trace.zip" });
      return {
        contexts: await policyOf(`contexts?${new URLSearchParams({ trace })}`),
        other: await (await fetch(`contexts?${other}`)).text(),
        outside: await fetch("https://elsewhere.example/").then(String, String),
      };
    });
    assert.match(answers.contexts ?? "", /^sandbox; default-src 'none'/);
    const inSnapshot = viewer.frames().find(frame => frame.url().includes("/trace-viewer/snapshot/"));
    const fetched = await inSnapshot?.evaluate(() => fetch("/v1/runs").then(String, String));
    assert.match(fetched ?? "", /TypeError/, "a page in a trace can't use the reader's session");
    assert.match(answers.other, /Could not load trace/);
    assert.match(answers.outside, /TypeError/);
    await viewer.close();
  });
});
