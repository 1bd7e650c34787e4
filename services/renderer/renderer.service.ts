import type { Service } from "moleculer";
import { imageStore, type WithImages } from "../../mixins/image-store.ts";
import { tunnelBus, type WithTunnels } from "../../mixins/tunnel-bus.ts";
import { type WithQueue, workQueue } from "../../mixins/work-queue.ts";
import { METRICS, registerMetrics } from "../../shared/broker/metrics/metric-catalogue.ts";
import { reportFailure } from "../../shared/broker/node-failures.ts";
import { announceRendering } from "../../shared/broker/renderers.ts";
import { RenderingLoad } from "../../shared/broker/rendering-load.ts";
import { BrowserPool } from "../../shared/capture/browser/browser-pool.ts";
import { NoBrowserError } from "../../shared/capture/capture-types.ts";
import { addressPolicy } from "../../shared/capture/network/address-guard.ts";
import { configOf } from "../../shared/config.ts";
import { action, type Bus, call, on, service } from "../../shared/contracts/bus.ts";
import type { RenderingFingerprint } from "../../shared/contracts/capture/rendering.ts";
import { enqueueResult, NodesLostError } from "../../shared/contracts/work-queue.ts";
import { asError } from "../../shared/errors.ts";
import { ArchiveSites } from "./archive-sites.ts";
import { BrowserWatch } from "./browser-watch.ts";
import { type CacheFolder, openCacheFolder } from "./file-cache.ts";
import { LazyComparePool } from "./lazy-compare-pool.ts";
import { type ListingContext, listedResult } from "./list-stories.ts";
import { probePage } from "./probe-page.ts";
import { doJob, failProof, type ProofContext } from "./prove-cause.ts";
import { whyNotUnsandboxed } from "./sandbox.rule.ts";
import { SiteTunnels } from "./site-tunnels.ts";
import { LOG_MESSAGES, RENDER_ERRORS } from "./texts.ts";

/**
 * Attempts on a single machine, where a full disk is not waited for. In a fleet, also nodes that stop during
 * a job.
 */
const MAX_ATTEMPTS = 6;
/** With backoff, this outlasts an image store that is unreachable for four minutes. */
const MAX_ERRORS = 14;
/**
 * A page that crashes its node also ends the attempts of the pages beside it. From this attempt on, suspect pages run
 * apart from each other.
 */
const SUSPECT_FROM = 4;
/**
 * A route with ten viewports that all reach their limits takes half of this time. It takes more if a browser is lost on
 * the way.
 */
const LONGEST_ROUTE_MS = 30 * 60_000;
/**
 * Probes mostly wait, and those of sites that don't respond must not delay all others. Each monitors node sends up to 250
 * to a region. One that waits for its turn runs out of time.
 */
const MAX_PROBES = 1_000;

interface Renderer extends Service, WithQueue, WithImages, WithTunnels {
  browsers: BrowserPool;
  watch: BrowserWatch;
  load: RenderingLoad;
  /** How the browser that started last draws. */
  rendering: RenderingFingerprint | null;
  comparing?: LazyComparePool;
  archiveCache?: CacheFolder;
}

export default service<Renderer>({
  name: "renderer",
  mixins: [imageStore({ writes: true }), workQueue(), tunnelBus()],
  actions: {
    load: action("renderer.load", async function (this: Renderer) {
      return this.load.now();
    }),
    probe: action(
      "renderer.probe",
      function (this: Renderer, asked) {
        const { allowHosts, denyNetworks } = configOf(this.broker);
        return probePage(asked, addressPolicy(allowHosts, denyNetworks));
      },
      { bulkhead: { enabled: true, concurrency: MAX_PROBES } },
    ),
  },
  events: {
    "run.canceled": on("run.canceled", function (this: Renderer, { runId }) {
      this.queue.abort(runId);
    }),
  },
  async started() {
    this.rendering = null;
    const config = configOf(this.broker);
    this.browsers = new BrowserPool({
      chromiumPath: config.chromiumPath,
      firefoxPath: config.firefoxPath,
      cacheDir: config.cacheDir,
      policy: addressPolicy(config.allowHosts, config.denyNetworks),
      onUnresolved: detail => this.logger.warn(LOG_MESSAGES.noAllowedAddress(detail)),
      limits: { pageMiB: config.pageMemoryMiB },
      whyNotUnsandboxed: async () =>
        whyNotUnsandboxed({
          allowUnsandboxed: config.allowUnsandboxed,
          isOnBus: config.nats !== null,
          isLoopbackOnly: config.isLoopbackOnly,
          teams: config.nats === null && !config.allowUnsandboxed ? await countTeams(this.broker) : 0,
        }),
      warn: message => this.logger.warn(message),
      onMeasured: rendering => publishRendering(this, rendering),
    });
    this.watch = new BrowserWatch({
      tryBrowser: () => this.browsers.measure(),
      warn: message => this.logger.warn(message),
    });
    reportFailure(this.broker, () => this.watch.failure);
    const metrics = this.broker.metrics;
    this.load = new RenderingLoad(metrics, config.renderConcurrency, () => this.browsers.sandbox);
    registerMetrics(metrics, [METRICS.captures, METRICS.captureAttempts]);
    this.comparing = new LazyComparePool();
    this.archiveCache = await openCacheFolder(config.cacheDir);
    const node: ListingContext & ProofContext = {
      comparing: this.comparing,
      browsers: this.browsers,
      images: this.images,
      startedRuns: new Set(),
      tunnels: new SiteTunnels(this.tunnels),
      archives: new ArchiveSites(this.archiveFiles, {
        folder: this.archiveCache.path,
        maxBytes: config.archiveCacheBytes,
      }),
      report: result => {
        if (result.kind === "failed") this.load.failed();
        return enqueueResult(this.queue, result);
      },
      onCapture({ stable, attempts }) {
        metrics.increment(METRICS.captures.name, { stable: String(stable) });
        metrics.observe(METRICS.captureAttempts.name, attempts);
      },
    };
    // On a bus, jobs are assigned by rendering fingerprint. A single node starts its browser with the first page.
    const isMeasured =
      config.nats === null ? null : this.browsers.measure().catch(error => this.watch.failed(asError(error)));
    this.queue.consume("capture", {
      concurrency: config.renderConcurrency,
      maxAttempts: MAX_ATTEMPTS,
      maxErrors: MAX_ERRORS,
      suspectFrom: SUSPECT_FROM,
      timeoutMs: LONGEST_ROUTE_MS,
      ready: async () => {
        await isMeasured;
        await this.watch.ready();
      },
      fits: ({ region, rendering }) =>
        (region === undefined || region === config.region) &&
        (rendering === null || rendering === this.rendering?.id),
      handle: async (job, signal) => {
        await this.load
          .during(() => doJob(node, job, signal))
          .catch((error: unknown) => {
            if (error instanceof NoBrowserError) this.watch.failed(error);
            throw error;
          });
        this.logger.info({ runId: job.runId, screenshots: job.screenshots.length }, LOG_MESSAGES.captured);
      },
      fail: async (job, error) => {
        const { runId, screenshots, listing, proof } = job;
        this.logger.error({ err: error, runId }, LOG_MESSAGES.failed(runId));
        // The error's own message can name files of this machine, and reports are widely read.
        const reason = reasonOf(error);
        if (listing) await enqueueResult(this.queue, listedResult(job, listing, { reason }));
        if (proof) return await failProof(this.queue, job, reason);
        await Promise.all(
          screenshots.map(({ id, token }) => {
            const fields = { runId, screenshotId: id, token };
            return enqueueResult(this.queue, { kind: "failed", ...fields, stage: "capture", reason });
          }),
        );
      },
    });
  },
  async stopped() {
    this.watch?.stop();
    await this.queue.stop();
    await this.browsers?.close();
    await this.comparing?.close();
    await this.archiveCache?.close();
  },
});

/** Announces this node's rendering to the fleet, if it has changed. */
function publishRendering(node: Renderer, rendering: RenderingFingerprint): void {
  if (node.rendering?.id === rendering.id) return;
  node.rendering = rendering;
  const { id, browser, fontCount } = rendering;
  node.logger.info(LOG_MESSAGES.rendersWith(browser, fontCount, id));
  announceRendering(node.broker, rendering);
}

/** Counts teams. Without a node that has the service `teams`, tests provide the answer. */
async function countTeams(bus: Bus): Promise<number> {
  return await call(bus, "teams.count", {});
}

function reasonOf(error: Error): string {
  if (error instanceof NodesLostError) return RENDER_ERRORS.tooHeavy;
  return error instanceof NoBrowserError ? RENDER_ERRORS.noBrowser : RENDER_ERRORS.internal;
}
