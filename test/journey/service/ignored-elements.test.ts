import assert from "node:assert/strict";
import { runView } from "../../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";

const shop = (adTop: number, color: string, script: string) =>
  `<!doctype html><title>Shop</title><body style="margin:0;height:900px;background:#fff"><p>Shop</p>
  <div class="ad" style="position:absolute;top:${adTop}px;width:80px;height:40px;background:${color}"></div>
  <script>console.error("An old problem"); ${script}</script>`;

describe("A run of a page with a moving ad and errors", () => {
  let site: Site;
  let vrs: Vrs;
  before(async () => {
    site = await Site.start({ "/": shop(100, "red", "") });
    vrs = await Vrs.start();
  });
  after(async () => {
    await vrs?.stop();
    await site?.stop();
  });

  const capture = async (project = "shop") => {
    const options = { ignoreRegions: [{ selector: ".ad" }] };
    const body = { url: site.url, project, viewports: [600], threshold: 0, options, rerun: true };
    const answer = await vrs.post("/v1/run", body);
    assert.equal(answer.status, 202, await answer.clone().text());
    const { id } = submittedRun.parse(await answer.json());
    const read = async () => runView.parse(await (await vrs.request(`/v1/runs/${id}`)).json());
    await until(async () => (await read()).completedAt !== null);
    const { data } = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${id}`)).json());
    const [screenshot] = data;
    assert.ok(screenshot);
    return { run: await read(), screenshot };
  };

  it("is unchanged outside of the ad, and says which errors are new", async () => {
    const first = await capture();
    assert.equal(first.screenshot.error, null);
    assert.equal((await vrs.post(`/v1/baselines/${first.run.id}/approve`, {})).status, 200);
    site.pages.set("/", shop(300, "blue", `fetch("/gone?token=swordfish"); missing()`));
    const { run, screenshot } = await capture();
    assert.equal(run.conclusion, "passed");
    const box = { x: 0, width: 80, height: 40, selector: ".ad", pixels: 80 * 40 };
    assert.deepEqual(screenshot.ignored.regions, [
      { ...box, y: 300 },
      { ...box, y: 100 },
    ]);
    const { diagnostics } = screenshot;
    assert.deepEqual(
      diagnostics?.consoleMessages.map(({ text, isNew }) => [text, isNew]),
      [["An old problem", false]],
    );
    assert.deepEqual(
      diagnostics.pageErrors.map(({ message, isNew }) => [message, isNew]),
      [["ReferenceError: missing is not defined", true]],
    );
    assert.deepEqual(
      diagnostics.failedRequests.map(({ url, status, isNew }) => [url, status, isNew]),
      [[`${site.url}/gone?token=•••`, 404, true]],
    );
  });

  it("says which rule of which file changed the page, in the run and the report", async () => {
    const serve = (padding: number) => {
      site.pages.set("/", `<link rel="stylesheet" href="/app.css"><p class="card">Card</p>`);
      site.pages.set("/app.css", (_request, response) =>
        response.writeHead(200, { "Content-Type": "text/css" }).end(`.card { padding: ${padding}px }`),
      );
    };
    serve(12);
    const first = await capture("why");
    assert.equal((await vrs.post(`/v1/baselines/${first.run.id}/approve`, {})).status, 200);
    serve(16);
    const { run, screenshot } = await capture("why");
    const text = "`.card` padding 12px → 16px, by `app.css` (changed)";
    assert.deepEqual(
      run.causes.map(cause => [cause.text, cause.screenshots]),
      [[text, 1]],
    );
    const [cause] = screenshot.explanation?.causes ?? [];
    assert.deepEqual([cause?.text, cause?.rule, cause?.file?.url], [text, ".card", `${site.url}/app.css`]);
    const report = await (await fetch(run.links.report)).text();
    assert.ok(report.includes("<code>.card</code> padding 12px → 16px, by <code>app.css</code> (changed)"));
  });
});
