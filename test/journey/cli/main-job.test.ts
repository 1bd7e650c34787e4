import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, describe, it } from "mocha";
import type { ApiClient } from "../../../shared/api/api-client.ts";
import { runProgress } from "../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { EMBEDDED } from "../../support/databases/databases.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";
import { problemOf } from "../../support/formats/problem.ts";

const page = (body: string) => `<!doctype html><meta name="viewport" content="width=device-width">
  <style>body{font:16px sans-serif;margin:24px}header{background:#246;color:#fff;padding:16px}</style>
  <header>Harbour</header>${body}`;

describe("The main job", () => {
  let vrs: Vrs;
  let site: Site;
  let client: ApiClient;
  let project = 0;

  before(async () => {
    [vrs, site] = await Promise.all([Vrs.start({}, EMBEDDED), Site.start()]);
    client = vrs.client();
  });
  after(() => Promise.all([vrs?.stop(), site?.stop()]));

  beforeEach(() => {
    project += 1;
    site.pages.clear();
    site.pages.set("/", page("<h1>Moorings</h1><p>Twelve berths are free tonight.</p>"));
    site.pages.set("/pricing", page("<h1>Pricing</h1><p>A berth is 20 a night.</p>"));
  });

  /** Submits a run of the test's own project and waits for its end. */
  async function run(body: Partial<SubmitRunInput> = {}) {
    const routes = [...site.pages.keys()];
    const submitted = await client.submitRun({ url: site.url, routes, project: `p${project}`, ...body });
    const view = await client.waitForRun(submitted.id, { intervalMs: 50 });
    return { view, screenshots: await client.listScreenshots(submitted.id) };
  }

  const statuses = (screenshots: ScreenshotView[]) =>
    screenshots.map(({ route, viewport, status }) => `${route} ${viewport} ${status}`).sort();

  it("goes from new over approved to unchanged and changed, with the reason of the baseline", async () => {
    const first = await run({ viewports: [375, 1280] });
    assert.equal(first.view.status, "completed");
    assert.equal(first.view.conclusion, "new");
    assert.deepEqual(first.view.progress, { total: 4, captured: 4, compared: 4 });
    assert.deepEqual(await client.approve(first.view.id), {
      runId: first.view.id,
      approved: 4,
      pending: 0,
      rejected: 0,
      conclusion: "approved",
    });

    const second = await run({ viewports: [375, 1280] });
    assert.equal(second.view.conclusion, "passed");
    assert.deepEqual(second.view.counts, {
      unchanged: 4,
      minor: 0,
      changed: 0,
      new: 0,
      removed: 0,
      failed: 0,
    });
    assert.deepEqual(
      second.screenshots.map(screenshot => screenshot.attempts),
      [1, 1, 1, 1],
      "equal bytes are proof enough: no second take",
    );
    assert.deepEqual(second.screenshots[0]?.baseline, {
      runId: first.view.id,
      reason: "latest approved on main",
      width: 375,
      height: 800,
    });

    site.pages.set("/pricing", page("<h1>Pricing</h1><p>A berth is 95 a night, and then some.</p>"));
    const third = await run({ viewports: [375, 1280], threshold: 0 });
    assert.equal(third.view.conclusion, "changed");
    assert.deepEqual(statuses(third.screenshots), [
      "/ 1280 unchanged",
      "/ 375 unchanged",
      "/pricing 1280 changed",
      "/pricing 375 changed",
    ]);
    const changed = third.screenshots.find(
      ({ status, viewport }) => status === "changed" && viewport === 1280,
    );
    assert.ok(changed?.diffPixels && changed.diffRatio && changed.width && changed.height);
    assert.equal(changed.diffRatio, changed.diffPixels / (changed.width * changed.height));
    assert.ok(changed.regions.length > 0);
    assert.ok(
      changed.regions.every(({ y, height }) => y > 100 && height < 40),
      "the line that changed is outlined, and nothing else",
    );
    assert.ok(changed.stable);
  });

  it("keeps differences within the threshold unchanged, and reports their size", async () => {
    await client.approve((await run()).view.id);
    site.pages.set("/", page("<h1>Moorings</h1><p>Twelve berths are free today!!</p>"));
    const { view, screenshots } = await run({ threshold: 0.5 });
    assert.equal(view.conclusion, "passed");
    const home = screenshots.find(({ route }) => route === "/");
    assert.equal(home?.status, "unchanged");
    assert.ok((home.diffPixels ?? 0) > 0);
  });

  it("serves images by unguessable links, and a report without a key", async () => {
    const { view, screenshots } = await run();
    const link = screenshots[0]?.images.current ?? "";
    const image = await fetch(link);
    assert.equal(image.headers.get("content-type"), "image/png");
    assert.match(image.headers.get("cache-control") ?? "", /immutable/);
    const hash = createHash("sha256")
      .update(Buffer.from(await image.arrayBuffer()))
      .digest("hex");
    assert.ok(link.endsWith(`/${hash}.png`));
    const tampered = link.replace(/\/team_\w+\//, "/team_00000000000000000000000001/");
    assert.equal((await fetch(tampered)).status, 401);
    assert.equal(
      (await vrs.request(new URL(tampered).pathname)).status,
      401,
      "a key does not stand in for a signature",
    );

    const report = await fetch(view.links.report);
    assert.equal(report.status, 200);
    assert.match(report.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.match(await report.text(), /\/pricing/);
    assert.equal(
      (await fetch(view.links.report.replace(/token=.*/, "token=AAAAAAAAAAAAAAAAAAAAAA"))).status,
      401,
    );
    const saved = await fetch(`${view.links.report}&download=1`);
    assert.equal(saved.status, 200);
    assert.match(saved.headers.get("content-disposition") ?? "", /attachment/);
    const html = await saved.text();
    assert.match(html, /data:image\/png;base64,/);
    assert.doesNotMatch(html, /v1\/images/);
  });

  it("streams progress until it ends", async () => {
    const { id } = await client.submitRun({
      url: site.url,
      routes: ["/", "/pricing"],
      project: `p${project}`,
    });
    const stream = await vrs.request(`/v1/runs/${id}/events`);
    assert.match(stream.headers.get("content-type") ?? "", /text\/event-stream/);
    const events = (await stream.text()).split("\n\n").filter(block => block.startsWith("event: progress\n"));
    const last = runProgress.parse(JSON.parse(events.at(-1)?.split("\ndata: ")[1] ?? ""));
    assert.equal(last.status, "completed");
    assert.equal(last.conclusion, "new");
    const over = await (await vrs.request(`/v1/runs/${id}/events`)).text();
    assert.equal(
      over.match(/event: progress/g)?.length,
      1,
      "a run that has ended is told once, and the stream ends",
    );
  });

  it("reports removed pages, unless the run is partial", async () => {
    await client.approve((await run()).view.id);
    const whole = await run({ routes: ["/"] });
    assert.equal(whole.view.conclusion, "changed");
    assert.deepEqual(statuses(whole.screenshots), ["/ 1280 unchanged", "/pricing 1280 removed"]);
    const partial = await run({ routes: ["/"], partial: true });
    assert.equal(partial.view.conclusion, "passed");
    assert.equal((await client.approve(whole.view.id)).conclusion, "approved");
    const after = await run({ routes: ["/"] });
    assert.equal(after.view.conclusion, "passed", "the removal was approved");
  });

  it("carries an approval to identical pixels of the same pull request, and of no other", async () => {
    const on = (pr: number, sha: string) => ({
      scm: { owner: "acme", repo: "shop", sha, pr, branch: "fix" },
    });
    await client.approve((await run()).view.id);
    site.pages.set("/", page("<h1>Moorings</h1><p>Ninety-nine berths are free this very night.</p>"));
    const pushed = await run({ threshold: 0, ...on(7, "aaaaaaa1") });
    assert.equal(pushed.view.conclusion, "changed");
    await client.approve(pushed.view.id);

    const again = await run({ threshold: 0, ...on(7, "aaaaaaa2") });
    assert.equal(again.view.conclusion, "passed");
    const home = again.screenshots.find(({ route }) => route === "/");
    assert.equal(home?.baseline?.reason, "identical screenshot approved on pull request #7");
    const other = await run({ threshold: 0, ...on(8, "aaaaaaa3") });
    assert.equal(other.view.conclusion, "changed");
    assert.equal((await run({ threshold: 0 })).view.conclusion, "changed", "main has its own baseline");
  });

  it("reports an earlier state that returns on main as a change", async () => {
    const before = site.pages.get("/") ?? "";
    const first = await run();
    await client.approve(first.view.id);
    site.pages.set("/", page("<h1>Moorings</h1><p>All of it looks quite different from now on.</p>"));
    await client.approve((await run({ threshold: 0 })).view.id);
    assert.equal((await run({ threshold: 0 })).view.conclusion, "passed");
    site.pages.set("/", before);
    const back = await run({ threshold: 0 });
    assert.equal(back.view.conclusion, "changed");
    await client.approve(first.view.id);
    assert.equal((await run({ threshold: 0 })).view.conclusion, "passed", "approved again, it is the latest");
  });

  it("accepts decisions on single screenshots, and undoes them", async () => {
    const { view, screenshots } = await run();
    const [first, second] = screenshots;
    assert.ok(first && second);
    const post = async (verb: string, body: unknown) =>
      (await vrs.post(`/v1/baselines/${view.id}/${verb}`, body)).json();
    assert.deepEqual(await post("approve", { screenshots: [first.id] }), {
      runId: view.id,
      approved: 1,
      pending: 0,
      rejected: 0,
      conclusion: "new",
    });
    assert.equal(
      (await post("reject", { screenshots: [second.id], reason: "The price is wrong" })).conclusion,
      "rejected",
    );
    assert.equal((await post("approve", { screenshots: [second.id] })).conclusion, "approved");
    assert.equal((await run()).view.conclusion, "passed");
    assert.equal((await post("reject", { reason: "All of it" })).rejected, 2);
    assert.equal((await run()).view.conclusion, "new", "a rejection takes the baselines back");
    assert.equal((await post("reject", {})).code, "invalid_request", "a reason is needed");
    assert.equal((await post("approve", { screenshots: ["shot_0"] })).errors[0].path, "screenshots[0]");
  });

  it("answers repeated requests of a deployment and commit with the first run, also at the same time", async () => {
    const body = {
      url: site.url,
      project: `p${project}`,
      scm: { owner: "acme", repo: "shop", sha: "0123abc" },
    };
    const answers = await Promise.all(Array.from({ length: 5 }, () => vrs.post("/v1/run", body)));
    assert.deepEqual(answers.map(answer => answer.status).sort(), [200, 200, 200, 200, 202]);
    const ids = new Set((await Promise.all(answers.map(answer => answer.json()))).map(({ id }) => id));
    assert.equal(ids.size, 1);
  });

  it("cancels a run, which then captures no more", async () => {
    let requested = 0;
    for (let index = 0; index < 40; index += 1) {
      site.pages.set(`/slow/${index}`, (_req, res) => {
        requested += 1;
        setTimeout(() => res.writeHead(200, { "Content-Type": "text/html" }).end(page("slow")), 300);
      });
    }
    const { id } = await client.submitRun({
      url: site.url,
      routes: [...site.pages.keys()],
      project: `p${project}`,
    });
    const canceled = await (await vrs.request(`/v1/runs/${id}/cancel`, { method: "POST" })).json();
    assert.equal(canceled.status, "canceled");
    const before = requested;
    const next = await run({ routes: ["/"] });
    assert.equal(next.view.status, "completed");
    assert.ok(requested <= before + 4, "at most what was under way was still asked for");
    const again = await vrs.request(`/v1/runs/${id}/cancel`, { method: "POST" });
    assert.equal(again.status, 200, "canceling twice is harmless");
    assert.equal((await vrs.request(`/v1/runs/${next.view.id}/cancel`, { method: "POST" })).status, 409);
    assert.equal((await vrs.post(`/v1/baselines/${id}/approve`, {})).status, 409);
  });

  it("lists runs newest first, in pages and by filters", async () => {
    const ids = [];
    for (let index = 0; index < 3; index += 1) {
      const { view } = await run({ routes: ["/"], branch: index === 1 ? "side" : "main" });
      ids.unshift(view.id);
    }
    const list = async (query: string) => (await vrs.request(`/v1/runs?project=p${project}&${query}`)).json();
    const firstPage = await list("limit=2");
    assert.deepEqual(
      firstPage.data.map((view: { id: string }) => view.id),
      ids.slice(0, 2),
    );
    const rest = await list(`limit=2&cursor=${firstPage.nextCursor}`);
    assert.deepEqual(
      rest.data.map((view: { id: string }) => view.id),
      ids.slice(2),
    );
    assert.equal(rest.nextCursor, null);
    for (const other of ["monitors", "keys", "projects", "teams", `teams/${DEFAULT_TEAM_ID}/activity`])
      await problemOf(await vrs.request(`/v1/${other}?cursor=${firstPage.nextCursor}`), "invalid_request");
    assert.deepEqual(
      (await list("branch=side")).data.map((view: { id: string }) => view.id),
      [ids[1]],
    );
    assert.equal((await list("status=failed")).data.length, 0);
    assert.equal((await list("conclusion=new&status=completed")).data.length, 3);
  });

  it("renders each route with its own widths, masks, headers and network rules", async () => {
    site.pages.set("/masked", (_req, res) => {
      res.writeHead(200, { "Content-Type": "text/html" });
      res.end(page(`<p id="now">${process.hrtime.bigint()}</p><img src="/logo.svg" alt=""><p>calm</p>`));
    });
    let token: string | undefined;
    site.pages.set("/private", (req, res) => {
      token = req.headers["x-preview"]?.toString();
      res.writeHead(token ? 200 : 403, { "Content-Type": "text/html" }).end(page("private"));
    });
    const options: SubmitRunInput["options"] = {
      perRoute: {
        "/masked": {
          viewports: [320, 640, 320],
          masks: ["#now"],
          network: [
            {
              url: "**/logo.svg",
              action: "fulfil",
              contentType: "image/svg+xml",
              body: "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'/>",
            },
          ],
        },
        "/private": { headers: { "x-preview": "secret" } },
      },
    };
    const body = { routes: ["/masked", "/private"], options };
    await client.approve((await run(body)).view.id);
    const { view, screenshots } = await run(body);
    assert.deepEqual(statuses(screenshots), [
      "/masked 320 unchanged",
      "/masked 640 unchanged",
      "/private 1280 unchanged",
    ]);
    assert.equal(view.conclusion, "passed");
    assert.equal(token, "secret");
    assert.ok(!site.requested.includes("/logo.svg"));
  });

  it("compares colors with the requested threshold", async () => {
    const shade = (colour: string) => `<body style="margin:0;height:100vh;background:${colour}">`;
    const body = { routes: ["/shade"], project: "shades" };
    site.pages.set("/shade", shade("#fff"));
    await client.approve((await run(body)).view.id);
    site.pages.set("/shade", shade("#e8e8e8"));
    assert.equal((await run(body)).view.conclusion, "passed");
    const { view, screenshots } = await run({ ...body, options: { colorThreshold: 0.02 } });
    assert.equal(view.conclusion, "changed");
    assert.equal(screenshots[0]?.diffRatio, 1);
  });

  it("reports files that a page failed to load", async () => {
    site.pages.set("/bare", page(`<link rel="stylesheet" href="/gone.css"><p>bare</p>`));
    const { view, screenshots } = await run({ routes: ["/bare"], project: "bare" });
    const note = "Failed to load /gone.css (404).";
    assert.deepEqual(screenshots[0]?.notes, [note]);
    assert.ok((await (await fetch(view.links.report)).text()).includes(note));
  });

  it("fails bad pages one by one, each with its reason", async () => {
    site.pages.set("/broken", (_req, res) => res.writeHead(500, { "Content-Type": "text/html" }).end("oops"));
    site.pages.set("/loop", (_req, res) => res.writeHead(302, { Location: "/loop" }).end());
    site.pages.set("/metadata", (_req, res) =>
      res.writeHead(302, { Location: "http://169.254.169.254/latest" }).end(),
    );
    site.pages.set("/paper", (_req, res) =>
      res.writeHead(200, { "Content-Type": "application/pdf" }).end("%PDF-1.4"),
    );
    site.pages.set("/dialogs", page("<script>alert(1);confirm(2);prompt(3)</script><p>after</p>"));
    const { view, screenshots } = await run({ routes: [...site.pages.keys(), "/missing"] });
    assert.equal(view.status, "completed");
    assert.equal(view.conclusion, "changed", "a page that could not be rendered is no pass");
    const errors = Object.fromEntries(
      screenshots.map(({ route, status, error }) => [route, error ?? status]),
    );
    assert.equal(errors["/"], "new");
    assert.equal(errors["/dialogs"], "new");
    assert.match(errors["/broken"] ?? "", /500/);
    assert.match(errors["/missing"] ?? "", /404/);
    assert.match(errors["/loop"] ?? "", /redirect/i);
    assert.match(errors["/metadata"] ?? "", /link-local/);
    assert.match(errors["/paper"] ?? "", /PDF/);
  });

  it("fails a run without any capture, and accepts it again", async () => {
    site.pages.clear();
    const body = { routes: ["/"], scm: { owner: "acme", repo: "shop", sha: "deadbee" } };
    const first = await run(body);
    assert.equal(first.view.status, "failed");
    assert.equal(first.view.conclusion, null);
    assert.ok(first.view.error);
    site.pages.set("/", page("back"));
    const second = await run(body);
    assert.notEqual(second.view.id, first.view.id);
    assert.equal(second.view.status, "completed");
  });
});
