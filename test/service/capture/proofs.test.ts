import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { InProcessTunnels } from "../../../mixins/tunnels/in-process-tunnels.ts";
import { doJob } from "../../../services/renderer/prove-cause.ts";
import { SiteTunnels } from "../../../services/renderer/site-tunnels.ts";
import { readCapsule } from "../../../shared/capture/capsule/capsule.ts";
import { ComparePool } from "../../../shared/compare/compare-pool.ts";
import type { CaptureJob, ResultJob } from "../../../shared/contracts/runs/jobs.ts";
import type { ProofTask } from "../../../shared/contracts/runs/proof.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import type { Page } from "../../support/fixtures/site.ts";

const HTML = `<!doctype html><link rel="stylesheet" href="/app.css"><link rel="stylesheet" href="/menu.css">
  <body><h1>Shop</h1><button class="buy">Buy</button><nav>Menu</nav><script src="/app.js"></script>`;
const FIRST = {
  html: HTML,
  app: ".buy { background: #2563eb; padding: 20px }",
  menu: "nav { height: 100px }",
  js: "var one = 1;",
  status: 200,
  cookie: "",
};

describe("proofs of causes", () => {
  let context: CaptureTestContext;
  let comparing: ComparePool;
  const served = { ...FIRST };
  const results: ResultJob[] = [];
  let folder: string;
  let images: FileImageStore;

  before(async () => {
    comparing = new ComparePool({ threads: 1 });
    folder = await mkdtemp(join(tmpdir(), "vrs-proofs-"));
    images = await FileImageStore.open(folder);
    const text =
      (name: "html" | "app" | "menu" | "js", type: string): Page =>
      (_request, response) => {
        const status = name === "app" ? served.status : 200;
        const cookie = name === "app" && served.cookie !== "" ? { "Set-Cookie": served.cookie } : {};
        response.writeHead(status, { "Content-Type": type, ...cookie }).end(served[name]);
      };
    context = await CaptureTestContext.start({
      "/": text("html", "text/html"),
      "/app.css": text("app", "text/css; charset=utf-8"),
      "/menu.css": text("menu", "text/css"),
      "/app.js": text("js", "text/javascript"),
    });
  });
  after(async () => {
    await comparing.close();
    await context.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    Object.assign(served, FIRST);
  });

  async function run(
    job: Partial<CaptureJob> & Pick<CaptureJob, "screenshots">,
    keepsBodies = true,
  ): Promise<ResultJob> {
    results.length = 0;
    const node = {
      ...{ browsers: context.pool, images, comparing, startedRuns: new Set([job.runId ?? "run"]) },
      ...{
        tunnels: new SiteTunnels(new InProcessTunnels()),
        archives: { of: async () => undefined, files: images },
      },
      report: async (result: ResultJob) => void results.push(result),
      onCapture() {},
    };
    const whole = {
      ...{ runId: "run", teamId: "team", url: `${context.site.url}/`, options: {}, rendering: null },
      ...(keepsBodies && { keepsBodies: true as const }),
      ...job,
    };
    await doJob(node, whole, new AbortController().signal);
    return results[0] ?? assert.fail("There is no result.");
  }

  async function capture(baselineHash: string | null) {
    const result = await run({ screenshots: [{ id: "shot", viewport: 640, baselineHash, token: "t" }] });
    assert.ok(result.kind === "captured" && result.capsuleHash !== undefined);
    return { hash: result.hash, capsule: result.capsuleHash, bodies: result.bodies ?? [] };
  }

  /** Captures the page, changes it, and proves the cause. */
  async function prove(
    change: Partial<typeof FIRST>,
    { suspects = [], later = {} }: { suspects?: string[]; later?: Partial<typeof FIRST> } = {},
  ) {
    const before = await capture(null);
    Object.assign(served, change);
    const after = await capture(before.hash);
    const { diffPixels } = await comparing.compare(
      await images.get(before.hash),
      await images.get(after.hash),
    );
    assert.ok(diffPixels > 0, "The change is visible.");
    Object.assign(served, later);
    const proof: ProofTask = {
      capsules: { baseline: before.capsule, current: after.capsule },
      ...{ baselineHash: before.hash, currentHash: after.hash, diffPixels },
      ...{ colorThreshold: 0.1, ignoreRegions: [], suspects: suspects.map(path => context.site.url + path) },
    };
    const screenshots = [{ id: "shot", viewport: 640, baselineHash: before.hash, token: "t" }];
    const result = await run({ screenshots, proof });
    assert.ok(result.kind === "proved");
    return { ...result, files: result.files.map(url => new URL(url).pathname) };
  }

  it("name the one file of several that causes the change", async () => {
    const {
      outcome,
      files: found,
      tried,
    } = await prove({
      app: ".buy { background: #dc2626; padding: 20px }",
      menu: "nav { height: 100px } /* same */",
      js: "var one = 2;",
    });
    assert.deepEqual([outcome, found, tried], ["proven", ["/app.css"], 3]);
  });

  it("need two captures if the explanation names the right file", async () => {
    const {
      outcome,
      files: found,
      captures,
    } = await prove(
      { app: ".buy { background: #dc2626; padding: 20px }", js: "var one = 2;" },
      { suspects: ["/app.css"] },
    );
    assert.deepEqual([outcome, found, captures], ["proven", ["/app.css"], 2]);
  });

  it("name a stylesheet that failed, and HTML that changed", async () => {
    const failed = await prove({ status: 500 });
    assert.deepEqual([failed.outcome, failed.files], ["proven", ["/app.css"]]);
    Object.assign(served, FIRST);
    const html = await prove({ html: HTML.replace("Shop", "Shop, now with more words") });
    assert.deepEqual([html.outcome, html.files], ["proven", ["/"]]);
  });

  it("name files that only together cause the change", async () => {
    const { outcome, files: found } = await prove({
      app: ".buy { background: #dc2626; padding: 20px }",
      menu: "nav { height: 100px; border: 30px solid green }",
    });
    assert.deepEqual([outcome, found.toSorted()], ["proven", ["/app.css", "/menu.css"]]);
  });

  it("say that the change is gone, or that the page changed since", async () => {
    const red = ".buy { background: #dc2626; padding: 20px }";
    const changed = await prove({ app: red }, { later: { app: ".buy { padding: 90px }" } });
    assert.equal(changed.outcome, "page_changed");
    Object.assign(served, FIRST);
    assert.equal((await prove({ app: red }, { later: FIRST })).outcome, "no_change");
  });

  it("say that the page can't be captured any more", async () => {
    const before = await capture(null);
    Object.assign(served, { app: ".buy { padding: 60px }" });
    const after = await capture(before.hash);
    const proof: ProofTask = {
      capsules: { baseline: before.capsule, current: after.capsule },
      ...{ baselineHash: before.hash, currentHash: after.hash, diffPixels: 100 },
      ...{ colorThreshold: 0.1, ignoreRegions: [], suspects: [] },
    };
    const screenshots = [{ id: "shot", viewport: 640, baselineHash: before.hash, token: "t" }];
    const gone = await run({ screenshots, proof, url: "http://localhost:9/" });
    assert.ok(gone.kind === "proved");
    assert.equal(gone.outcome, "unreachable");
    assert.ok((gone.reason ?? "").length > 10);
  });

  it("say that earlier content isn't kept: of a file that sets a cookie, or after its deletion", async () => {
    served.cookie = "id=1";
    const { outcome, tried, unkept } = await prove({ app: ".buy { background: #dc2626 }" });
    assert.deepEqual([outcome, tried, unkept], ["not_kept", 0, 1]);
    Object.assign(served, FIRST);
    const before = await capture(null);
    Object.assign(served, { app: ".buy { padding: 60px }" });
    const after = await capture(before.hash);
    const hashes = before.bodies.map(({ hash }) => hash);
    await images.setAside(hashes);
    await images.remove(hashes);
    const proof: ProofTask = {
      capsules: { baseline: before.capsule, current: after.capsule },
      ...{ baselineHash: before.hash, currentHash: after.hash, diffPixels: 100 },
      ...{ colorThreshold: 0.1, ignoreRegions: [], suspects: [] },
    };
    const screenshots = [{ id: "shot", viewport: 640, baselineHash: before.hash, token: "t" }];
    const gone = await run({ screenshots, proof });
    assert.ok(gone.kind === "proved");
    assert.deepEqual([gone.outcome, gone.unkept], ["not_kept", 1]);
  });

  it("keep bodies only of jobs that ask for it, and none with secrets or too large ones", async () => {
    served.app = `.buy { padding: 21px } /* the-café-value */`;
    served.js = `var one = "${"x".repeat(600_000)}"`;
    const { capsule, bodies } = await capture(null);
    const { responses } = await readCapsule(await images.get(capsule));
    const kept = responses.filter(({ body }) => body !== undefined).map(({ url }) => new URL(url).pathname);
    assert.deepEqual(kept.toSorted(), ["/", "/app.css", "/menu.css"]);
    for (const { hash, bytes } of bodies) assert.equal((await images.get(hash)).length, bytes);
    const screenshots = [{ id: "shot", viewport: 640, baselineHash: null, token: "t" }];
    const secret = await run({ screenshots, teamId: "other", secrets: { token: "the-café-value" } });
    assert.ok(secret.kind === "captured" && secret.capsuleHash !== undefined);
    const masked = await readCapsule(await images.get(secret.capsuleHash));
    assert.ok(masked.responses.every(({ url, body }) => !url.endsWith("app.css") || body === undefined));
    const bare = await run({ screenshots, teamId: "third" }, false);
    assert.ok(bare.kind === "captured");
    assert.equal(bare.bodies, undefined);
  });
});
