import assert from "node:assert/strict";
import { InProcessTunnels } from "../../../mixins/tunnels/in-process-tunnels.ts";
import { captureRoute } from "../../../services/renderer/capture-route.ts";
import { SiteTunnels } from "../../../services/renderer/site-tunnels.ts";
import { BrowserPool } from "../../../shared/capture/browser/browser-pool.ts";
import type { ImageStore } from "../../../shared/contracts/image-store.ts";
import type { ResultJob } from "../../../shared/contracts/runs/jobs.ts";
import { CaptureTestContext, poolOptions } from "../../support/contexts/capture-context.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

const about = (context: CaptureTestContext) => ({
  runId: "run",
  teamId: "team",
  url: context.site.url,
  options: {},
  rendering: null,
});

describe("screenshots of a route", () => {
  let context: CaptureTestContext;

  before(async () => {
    context = await CaptureTestContext.start({ "/": html("<h1>Home</h1>") });
  });
  after(() => context?.stop());

  it("are retried, on another node if necessary, when no browser starts", async () => {
    const browsers = new BrowserPool(poolOptions({ chromiumPath: "/bin/false" }));
    const reported: string[] = [];
    const full = new Error("not for this");
    const node = {
      browsers,
      images: nowhere(full),
      startedRuns: new Set<string>(),
      tunnels: new SiteTunnels(new InProcessTunnels()),
      archives: { of: async () => undefined },
      report: async ({ kind }: ResultJob) => void reported.push(kind),
      onCapture: () => {},
    };
    const screenshots = [{ id: "shot", viewport: 320, baselineHash: null, token: "" }];
    const job = { ...about(context), screenshots };
    try {
      await assert.rejects(captureRoute(node, job, new AbortController().signal), { name: "NoBrowserError" });
    } finally {
      await browsers.close();
    }
    assert.deepEqual(reported, ["started"]);
  });

  it("fail by the service's fault, not the page's, if the node lacks their browser", async () => {
    const browsers = new BrowserPool(poolOptions({ firefoxPath: "/nowhere/firefox" }));
    const found: ResultJob[] = [];
    const node = {
      browsers,
      images: nowhere(new Error("not for this")),
      startedRuns: new Set(["run"]),
      tunnels: new SiteTunnels(new InProcessTunnels()),
      archives: { of: async () => undefined },
      report: async (result: ResultJob) => void found.push(result),
      onCapture: () => {},
    };
    const screenshots = [{ id: "shot", viewport: 320, baselineHash: null, token: "" }];
    const job = { ...about(context), environment: { browser: "firefox" as const }, screenshots };
    try {
      await captureRoute(node, job, new AbortController().signal);
    } finally {
      await browsers.close();
    }
    assert.deepEqual(
      found.map(result => [result.kind, "blame" in result && result.blame]),
      [["failed", "service"]],
    );
  });

  it("share the HTTP cache of their run, unless the job requires fresh contexts", async () => {
    let served = 0;
    context.site.pages.set("/cached.css", (_request, response) => {
      served += 1;
      response
        .writeHead(200, { "Content-Type": "text/css", "Cache-Control": "max-age=600" })
        .end(`h1 { margin-left: ${served}em }`);
    });
    context.site.pages.set("/styled", html('<link rel="stylesheet" href="/cached.css"><h1>Home</h1>'));
    const hashes: string[] = [];
    const node = {
      browsers: context.pool,
      images: { ...nowhere(new Error("not for this")), put: async () => "" },
      startedRuns: new Set<string>(),
      tunnels: new SiteTunnels(new InProcessTunnels()),
      archives: { of: async () => undefined },
      report: async (result: ResultJob) => void (result.kind === "captured" && hashes.push(result.hash)),
      onCapture: () => {},
    };
    const screenshots = [320, 321].map(viewport => {
      return { id: `${viewport}`, viewport, baselineHash: null, token: "" };
    });
    const url = `${context.site.url}/styled`;
    const job = { runId: "cached", teamId: "team", url, options: {}, rendering: null, screenshots };
    await captureRoute(node, job, new AbortController().signal);
    assert.equal(served, 1);
    await captureRoute(node, { ...job, isFresh: true as const }, new AbortController().signal);
    assert.equal(served, 3, "neither from the run's cache nor from each other's");
    assert.equal(new Set(hashes).size, 4, "each as the site was then, in its width");
    await captureRoute(node, job, new AbortController().signal);
    assert.equal(served, 3, "the warm context is still there");
  });

  it("have diagnostics without tokens in URLs, also if the page can't be captured", async () => {
    const script = `<script>fetch("/gone?page=2&access_token=swordfish"); console.error("See /help?key=swordfish")</script>`;
    context.site.pages.set("/noisy", html(script));
    context.site.pages.set("/missing", (_request, response) => response.writeHead(404).end());
    const found: ResultJob[] = [];
    const node = {
      browsers: context.pool,
      images: { ...nowhere(new Error("not for this")), put: async () => "" },
      startedRuns: new Set(["run"]),
      tunnels: new SiteTunnels(new InProcessTunnels()),
      archives: { of: async () => undefined },
      report: async (result: ResultJob) => void found.push(result),
      onCapture: () => {},
    };
    const screenshots = [{ id: "shot", viewport: 320, baselineHash: null, token: "" }];
    for (const path of ["/noisy", "/missing?code=swordfish"]) {
      const job = { ...about(context), url: context.site.url + path, screenshots };
      await captureRoute(node, job, new AbortController().signal);
    }
    const diagnostics = found.map(result => ("diagnostics" in result ? result.diagnostics : null));
    assert.deepEqual(
      found.map(({ kind }) => kind),
      ["captured", "failed"],
    );
    assert.equal(diagnostics[0]?.consoleMessages[0]?.text, "See /help?key=•••");
    const urls = diagnostics.map(each => each?.failedRequests[0]?.url.replace(context.site.url, ""));
    assert.deepEqual(urls, ["/gone?page=2&access_token=•••", "/missing?code=•••"]);
    assert.ok(!JSON.stringify(diagnostics).includes("swordfish"));
  });

  it("are retried when one can't be stored, and the process continues", async () => {
    const full = new Error("no space left on device");
    const reported: string[] = [];
    const node = {
      browsers: context.pool,
      images: nowhere(full),
      startedRuns: new Set<string>(),
      tunnels: new SiteTunnels(new InProcessTunnels()),
      archives: { of: async () => undefined },
      report: async ({ kind }: ResultJob) => void reported.push(kind),
      onCapture: () => {},
    };
    const screenshots = [320, 640].map(viewport => ({
      id: `shot ${viewport}`,
      viewport,
      baselineHash: null,
      token: "",
    }));
    const job = { ...about(context), screenshots };
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      await assert.rejects(captureRoute(node, job, new AbortController().signal), full);
    } finally {
      process.off("unhandledRejection", note);
    }
    await assert.rejects(captureRoute(node, job, new AbortController().signal), full);
    assert.deepEqual(unhandled, [], "Node ends a process with a rejection that nobody handles");
    assert.deepEqual(reported, ["started"], "once for the run");
  });
});

/** Returns a store that fails every write and read. */
function nowhere(reason: Error): ImageStore {
  const refuse = () => Promise.reject(reason);
  return {
    put: refuse,
    get: refuse,
    open: refuse,
    olderThan: () => {
      throw reason;
    },
    setAside: refuse,
    putBack: refuse,
    remove: refuse,
    close: async () => {},
  };
}
