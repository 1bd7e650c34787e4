import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import type { FleetSite } from "../fixtures/sites/fleet-site.ts";
import type { Cluster } from "../servers/nodes/cluster.ts";
import { until } from "./until.ts";

/** Shorter than the tests' own timeout, so that the error of a hanging run has the nodes' output. */
const TIMEOUT_MS = 300_000;
/** Each poll is work for three nodes. */
const POLL_INTERVAL_MS = 150;
const VIEWPORT = 375;

/** A submitted run, with its time. */
export interface Submitted {
  id: string;
  at: number;
}

type Counts = RunView["counts"];

/** Runs of one project in a cluster that is being broken, with their expected results. */
export class FleetRuns {
  readonly #cluster: Cluster;
  readonly #site: FleetSite;
  readonly #project: string;

  constructor(cluster: Cluster, site: FleetSite, project: string) {
    this.#cluster = cluster;
    this.#site = site;
    this.#project = project;
  }

  get #client() {
    return this.#cluster.client();
  }

  /** The expected counts of a run of the whole site. */
  get expected(): Partial<Counts> {
    const changed = this.#site.version > 0 ? Math.ceil(this.#site.routes.length / 2) : 0;
    return { changed, unchanged: this.#site.routes.length - changed };
  }

  /** Runs the site and approves the screenshots as baselines for later runs. */
  async approveBaselines(): Promise<void> {
    const run = await this.submit();
    await this.ends(run, "the baselines", { new: this.#site.routes.length });
    await this.#client.approve(run.id);
  }

  async submit(body: Partial<SubmitRunInput> = {}, idempotencyKey?: string): Promise<Submitted> {
    const at = Date.now();
    const { id } = await this.#client.submitRun(this.body(body), idempotencyKey);
    return { id, at };
  }

  body(body: Partial<SubmitRunInput> = {}): SubmitRunInput {
    const { url, routes } = this.#site;
    return { url, routes: [...routes], viewports: [VIEWPORT], threshold: 0, project: this.#project, ...body };
  }

  /** Waits until the run has made this progress. */
  async reaches(run: Submitted, far: (view: RunView) => boolean): Promise<void> {
    await until(async () => {
      const view = await this.#client.getRun(run.id);
      if (view.completedAt !== null) throw new Error(`${run.id} ended before it was to be disturbed.`);
      return far(view);
    });
  }

  /**
   * Waits for the run's end, checks that its results are right and complete, and prints its duration.
   * @param what what happened to it, for the output. Null for one of many
   * @param counts counts of screenshots by status. Missing ones must be zero
   */
  async ends(run: Submitted, what: string | null, counts: Partial<Counts> = this.expected): Promise<RunView> {
    const view = await this.#end(run);
    const seconds = ((Date.now() - run.at) / 1000).toFixed(1);
    const wanted: Counts = { unchanged: 0, minor: 0, changed: 0, new: 0, removed: 0, failed: 0, ...counts };
    assert.equal(view.status, "completed", view.error ?? "");
    assert.deepEqual(view.counts, wanted);
    const total = Object.values({ ...wanted, minor: 0 }).reduce((sum, count) => sum + count);
    assert.deepEqual(view.progress, { total, captured: total, compared: total });
    assert.equal(view.conclusion, conclusionOf(wanted));
    await this.#isWhole(run.id, wanted);
    if (what !== null) console.log(`      ${what}: ${total} screenshots in ${seconds} s`);
    return view;
  }

  async #end(run: Submitted): Promise<RunView> {
    const deadline = Date.now() + TIMEOUT_MS;
    let last: unknown;
    while (Date.now() < deadline) {
      try {
        const view = await this.#client.getRun(run.id);
        last = view;
        if (view.completedAt !== null) return view;
      } catch (error) {
        // A gateway or a database that is being broken.
        last = error;
      }
      await delay(POLL_INTERVAL_MS);
    }
    console.log(this.#cluster.output());
    throw new Error(`${run.id} did not end: ${JSON.stringify(last) ?? String(last)}`);
  }

  /** Checks that each screenshot and each of its images is there exactly once. */
  async #isWhole(runId: string, counts: Counts): Promise<void> {
    const screenshots = await this.#client.listScreenshots(runId);
    const places = new Set(screenshots.map(({ route, viewport }) => `${route} ${viewport}`));
    assert.equal(places.size, screenshots.length);
    const { minor, ...ofStatus } = counts;
    assert.equal(screenshots.filter(screenshot => screenshot.minor).length, minor);
    for (const [status, count] of Object.entries(ofStatus))
      assert.equal(screenshots.filter(screenshot => screenshot.status === status).length, count, status);
    await Promise.all(screenshots.map(hasItsImages));
  }
}

function conclusionOf(counts: Counts): RunView["conclusion"] {
  if (counts.changed + counts.removed + counts.failed > 0) return "changed";
  return counts.new > 0 ? "new" : "passed";
}

async function hasItsImages({ id, status, images }: ScreenshotView): Promise<void> {
  if (status !== "failed") assert.ok(images.current, `${id} has no image`);
  if (status === "changed")
    assert.ok(images.baseline && images.diff && images.change, `${id} does not show its change`);
  for (const [name, link] of Object.entries(images)) {
    if (link === null) continue;
    const answer = await fetch(link);
    assert.equal(answer.status, 200, `${link} of ${id}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    // It is drawn from the others, and not stored.
    if (name === "change") continue;
    const hash = createHash("sha256").update(bytes).digest("hex");
    assert.ok(new URL(link).pathname.endsWith(`/${hash}.png`), `${link} of ${id} is another image`);
  }
}
