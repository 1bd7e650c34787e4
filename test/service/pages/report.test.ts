import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright";
import { renderReport } from "../../../shared/report/render/render-report.ts";
import type { ReportModel } from "../../../shared/report/report-model.ts";
import {
  launchBrowser,
  type Visit,
  viewerShows,
  visit,
} from "../../support/drivers/browser/report-browser.ts";
import {
  inline,
  report,
  reviewedReport,
  sampleReport,
  screenshot,
} from "../../support/fixtures/report-sample.ts";
import { type ReportSite, serveReport } from "../../support/fixtures/sites/report-site.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

describe("the report's page", () => {
  let browser: Browser;
  let current: Visit;
  let page: Page;
  const images = new Map<string, Buffer>();
  let sample: ReportModel;
  let site: ReportSite;

  before(async () => {
    browser = await launchBrowser();
    sample = await sampleReport((png, name) => {
      images.set(`/images/${name}`, png);
      return `/images/${name}`;
    });
    site = await serveReport(sample, images);
  });

  after(async () => {
    await site?.[Symbol.asyncDispose]();
    await browser?.close();
  });

  beforeEach(async () => open());

  afterEach(async () => current[Symbol.asyncDispose]());

  async function open(options?: BrowserContextOptions): Promise<void> {
    await current?.[Symbol.asyncDispose]();
    current = await visit(browser, options);
    page = current.page;
  }

  it("filters by status, width and route, and ignores shortcuts in the field", async () => {
    await page.goto(site.url);
    const routes = () => page.locator(".card:not([hidden]) .route").allTextContents();
    await page.keyboard.press("f");
    await page.keyboard.press("Enter");
    assert.equal((await routes()).length, 6);
    assert.equal(await page.locator("#found").textContent(), "6 of 17 shown");
    await page.getByRole("button", { name: "375 px" }).click();
    assert.deepEqual(await routes(), ["/"]);
    await page.getByRole("button", { name: "375 px" }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("team?");
    assert.equal(await page.locator("#keys").isVisible(), false);
    await page.keyboard.press("Backspace");
    assert.deepEqual(await routes(), ["/about/team"]);
    await page.getByRole("button", { name: "Changed 6", exact: true }).click();
    await page.locator("#find").fill("about");
    assert.equal(
      await page
        .locator(".same")
        .first()
        .evaluate(details => details.hasAttribute("open")),
      true,
    );
    await page.locator("#find").fill("");
    assert.equal(
      await page
        .locator(".same")
        .first()
        .evaluate(details => details.hasAttribute("open")),
      false,
    );
    await page.locator("#find").blur();
    await page.keyboard.press("?");
    assert.equal(await page.locator("#keys").isVisible(), true);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#keys").isVisible(), false);
  });

  it("renders no value of the model as markup or script", async () => {
    const bad = `</script></style></noscript><img src=x onerror="alert(1)"><svg onload=alert(2)>'"]]>--><script>alert(3)</script>`;
    const shot = {
      // Half of a surrogate pair, which no URL can contain.
      id: `${bad}\ud800`,
      route: `/${bad}`,
      error: bad,
      notes: [bad],
      moving: [bad],
      stable: false,
      browser: bad,
    };
    const baseline = { runId: bad, reason: bad, width: 10, height: 10 };
    const hostile = { ...shot, fingerprint: bad, baseline, status: "changed" as const };
    const urls = {
      current: `/x"onerror="alert(4)`,
      baseline: `/z"><script>alert(5)</script>`,
      diff: `/y' onload='alert(6)`,
    };
    const model = report(
      [screenshot({ ...hostile, images: urls }), screenshot({ ...hostile, status: "failed" })],
      {
        project: bad,
        url: `javascript:alert(7)//${bad}`,
        branch: bad,
        scm: { owner: bad, repo: bad, sha: bad, pr: 1 },
        createdAt: bad,
        completedAt: bad,
        id: bad,
      },
    );
    await using attacked = await serveReport(model, new Map());
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", event =>
        console.error(`refused ${event.violatedDirective}`),
      );
    });
    await page.goto(attacked.url);
    await page.locator(".card-open").first().click();
    await viewerShows(page, `/${bad} · 1280 px`);
    assert.equal(
      await page
        .locator("#viewer-remarks .remarks")
        .textContent()
        .then(text => text?.includes(bad)),
      true,
    );
    assert.equal(await page.locator("[onerror], [onload], img[src=x]").count(), 0);
    assert.equal(await page.locator("script").count(), 3);
    assert.deepEqual(
      current.complaints.filter(complaint => !complaint.includes("404 (Not Found)")),
      [],
    );
  });

  it("loads no image off screen, with 2,000 screenshots", async () => {
    const pixel = images.get("/images/journal.png") ?? Buffer.alloc(0);
    const many = new Map<string, Buffer>();
    const shots = Array.from({ length: 2000 }, (_, index) => {
      many.set(`/images/${index}.png`, pixel);
      many.set(`/images/${index}-baseline.png`, pixel);
      const shown = {
        current: `/images/${index}.png`,
        baseline: `/images/${index}-baseline.png`,
        diff: null,
      };
      return screenshot({ id: `s${index}`, route: `/page/${index}`, status: "changed", images: shown });
    });
    await using large = await serveReport(report(shots), many);
    await page.goto(large.url);
    const filled = page.locator(".thumb:has(image[href])");
    await filled.first().waitFor({ state: "attached" });
    const atTop = await filled.count();
    assert.ok(atTop < 40, `${atTop} thumbnails were filled for the first screen`);
    await page.locator("#card-1500 .thumb").scrollIntoViewIfNeeded();
    await page.locator("#card-1500 .thumb:has(image[href])").waitFor();
    await page.waitForLoadState("networkidle");
    const { requested } = large;
    assert.ok(requested.length < 200, `${requested.length} images were fetched for two screens`);
    assert.deepEqual(
      requested.filter(path => path.includes("baseline")),
      [],
    );
  });

  it("works as a saved file with its images and without requests", async () => {
    const folder = await mkdtemp(join(tmpdir(), "report-"));
    try {
      const file = join(folder, "report.html");
      await writeFile(file, renderReport(await sampleReport(inline)));
      const asked: string[] = [];
      page.on("request", request => asked.push(request.url().slice(0, 8)));
      await page.goto(pathToFileURL(file).href);
      await page.locator(".card-open").first().click();
      const shown = page.locator('.pane:nth-child(2) .layer[data-side="current"] img');
      assert.equal(
        await shown.evaluate(async (image: HTMLImageElement) => {
          await image.decode();
          return image.naturalWidth;
        }),
        1280,
      );
      await page.keyboard.press("2");
      // The browser reports its new URL a moment later.
      await page.waitForURL(/#scr_home_1280\/swipe$/);
      await page.keyboard.press("Escape");
      assert.equal(await page.locator("#viewer").isVisible(), false);
      assert.deepEqual(
        asked.filter(url => !/^(file|data):/.test(url)),
        [],
      );
      assert.deepEqual(current.complaints, []);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("folds minor changes, and shows their size and regions when they are opened", async () => {
    await page.goto(site.url);
    const group = page.locator("details.group", {
      has: page.getByRole("heading", { name: "Minor changes" }),
    });
    const lines = group.locator(".card-line");
    assert.equal(await lines.first().isVisible(), false);
    for (const summary of await group.locator("summary").all()) await summary.click();
    // A busy browser lays out the lines of an opened group later.
    for (const line of await lines.all()) await line.waitFor();
    // Cards outside the window are not rendered (content-visibility), so they have no inner text.
    const said = (await lines.allTextContents()).map(text => text.trim().replaceAll(/\s+/g, " "));
    assert.equal(said.length, 2);
    for (const text of said) assert.match(text, /^Minor change (?:375|1280) px <?0\.\d+%, [\d,]+ pixels$/);
    const amounts = said.map(text => Number(/([\d.]+)%/.exec(text)?.[1]));
    assert.deepEqual(
      amounts,
      amounts.toSorted((a, b) => b - a),
      "the largest first",
    );
    await page.getByRole("button", { name: "Minor change 2" }).click();
    assert.equal(await page.locator("#found").textContent(), "2 of 17 shown");
    await group.locator(".card-open").first().click();
    await page.locator(".pane .outlines rect").first().waitFor();
    assert.match((await page.locator("#viewer-line").textContent()) ?? "", /Minor change/);
  });

  it("shows every screenshot's facts and images without a script", async () => {
    await open({ javaScriptEnabled: false });
    await page.goto(site.url);
    for (const heading of await page.locator("details > summary h2").all()) await heading.click();
    assert.equal(await page.locator(".card").count(), sample.screenshots.length);
    assert.equal(await page.getByRole("heading", { name: "/pricing" }).isVisible(), true);
    const shots = page
      .locator(".card", { has: page.getByRole("heading", { name: "/pricing" }) })
      .locator("img");
    assert.deepEqual(await shots.evaluateAll(all => all.map(image => image.getAttribute("data-kind"))), [
      "baseline",
      "current",
      "diff",
    ]);
    assert.equal(await shots.nth(1).isVisible(), true);
    assert.equal(await page.locator("button:visible, input:visible").count(), 0);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`shows reviews so that all can read them, wide and narrow, ${colorScheme}`, async () => {
      const file = join(await mkdtemp(join(tmpdir(), "vrs-report-")), "reviewed.html");
      await writeFile(file, renderReport(await reviewedReport(inline)));
      for (const width of [1280, 390]) {
        await open({ colorScheme, viewport: { width, height: 800 } });
        await page.goto(pathToFileURL(file).href);
        assert.deepEqual(await violations(page), []);
        await page.getByRole("link", { name: "/checkout" }).click();
        await viewerShows(page, "/checkout · 1280 px");
        assert.match(
          (await page.locator("#viewer-remarks").textContent()) ?? "",
          /Rejected by bob.*lost its label/,
        );
        await page.getByText("Details").click();
        const facts = page.locator("#viewer-facts");
        assert.match((await facts.textContent()) ?? "", /ada approved.*bob rejected/);
        const box = await facts.boundingBox();
        assert.ok(
          box && box.x >= 0 && box.x + box.width <= width,
          `the facts are in sight: ${JSON.stringify(box)}`,
        );
        assert.deepEqual(await violations(page), [], "viewer");
        assert.deepEqual(current.complaints, []);
      }
      await rm(dirname(file), { recursive: true });
    });
  }

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no serious accessibility violation, ${colorScheme}`, async () => {
      await open({ colorScheme });
      for (const hash of ["", "#scr_home_375/side", "#scr_price/overlay", "#scr_failed/side"]) {
        await page.goto("about:blank");
        await page.goto(site.url + hash);
        assert.deepEqual(await violations(page), [], hash);
      }
      await page.keyboard.press("?");
      assert.deepEqual(await violations(page), [], "key sheet");
    });
  }

  it("needs no horizontal scrolling at 360 px", async () => {
    await open({ viewport: { width: 360, height: 740 } });
    for (const hash of ["", "#scr_home_375/side", "#scr_home_375/swipe"]) {
      await page.goto("about:blank");
      await page.goto(site.url + hash);
      const overflow = await page.evaluate(() => {
        const root = document.querySelector("dialog[open]") ?? document.documentElement;
        return root.scrollWidth - root.clientWidth;
      });
      assert.equal(overflow, 0, hash);
    }
  });
});

interface AxeViolation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate<AxeViolation[]>("axe.run(document).then(results => results.violations)");
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
