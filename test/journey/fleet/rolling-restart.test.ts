import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { CORE_SERVICES } from "../../../shared/environment/variables.ts";
import { FleetRuns, type Submitted } from "../../support/drivers/fleet-runs.ts";
import { FleetSite } from "../../support/fixtures/sites/fleet-site.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { needs } from "../../support/servers/server-programs.ts";

const PAGES = 3;
const SUBMIT_INTERVAL_MS = 2_000;
/** The pages with even numbers always change. */
const SMALL_RUN = { routes: ["/0", "/1"], partial: true };
const SMALL_RUN_COUNTS = { changed: 1, unchanged: 1 };
const SERVICES = [["gateway"], [...CORE_SERVICES], ["differ", "renderer"]];

/** A node whose clock is off by a minute. */
function skewed(services: string[], seconds: number) {
  const preload = join(import.meta.dirname, "../../support/drivers/date-shift.ts");
  const env = { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_MS: String(seconds * 1000) };
  return { services, env };
}

describe("A fleet with two nodes of each kind, whose clocks are a minute apart", () => {
  needs("nats-server", "database");
  let cluster: Cluster;
  let site: FleetSite;
  let runs: FleetRuns;

  before(async () => {
    const slow = SERVICES.map(services => skewed(services, services.includes("renderer") ? -60 : 60));
    [cluster, site] = await Promise.all([
      Cluster.start({ layout: [...SERVICES, ...slow], sharedDatabase: true }),
      FleetSite.start(PAGES),
    ]);
    runs = new FleetRuns(cluster, site, "rolling");
    // Before any change, so that later captures always differ.
    await runs.approveBaselines();
  });
  after(() => Promise.all([cluster?.stop(), site?.stop()]));
  afterEach(function () {
    if (this.currentTest?.isFailed()) console.log(cluster.output());
  });

  it("orders approvals correctly, whichever node's clock wrote them", async () => {
    const reviewed = new FleetRuns(cluster, site, "reviewed");
    await reviewed.approveBaselines();
    for (let round = 1; round <= 4; round++) {
      site.change();
      const run = await reviewed.submit();
      const changed = await reviewed.ends(run, "a run with clocks a minute apart");
      assert.ok(changed.completedAt && changed.completedAt >= changed.createdAt);
      assert.ok(Math.abs(Date.parse(changed.createdAt) - run.at) < 30_000, "by the database's clock");
      await cluster.client().approve(changed.id);
      await reviewed.ends(await reviewed.submit(), null, { unchanged: PAGES });
    }
  });

  it("loses no accepted run while every node restarts in turn under load", async () => {
    const statuses: number[] = [];
    const accepted: Submitted[] = [];
    const load = new AbortController();
    const submitting = submitAll(load.signal, statuses, accepted);
    const startedAt = Date.now();
    for (const node of cluster.nodes) {
      await node.terminate();
      assert.equal(node.exitCode, 0, node.output);
      await node.start();
    }
    load.abort();
    await submitting;
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    assert.deepEqual([...new Set(statuses)], [202]);
    for (const run of accepted) await runs.ends(run, null, SMALL_RUN_COUNTS);
    const last = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(
      `      ${cluster.nodes.length} nodes restarted in ${seconds} s, ${accepted.length} runs all ended after ${last} s`,
    );
  });

  /** Submits small runs until stopped. */
  async function submitAll(signal: AbortSignal, statuses: number[], accepted: Submitted[]): Promise<void> {
    const answers: Promise<void>[] = [];
    for (let count = 0; !signal.aborted; count++) {
      site.change();
      answers.push(
        submit(count).then(async answer => {
          statuses.push(answer.status);
          if (answer.status === 202)
            accepted.push({ id: submittedRun.parse(await answer.json()).id, at: Date.now() });
          else console.log(await answer.text());
        }),
      );
      await delay(SUBMIT_INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
    await Promise.all(answers);
  }

  /** Sends a request to one gateway, or to the other if it is down, like a load balancer. */
  async function submit(count: number): Promise<Response> {
    const gateways = cluster.with("gateway").map(({ baseUrl }) => baseUrl);
    const order = count % 2 === 0 ? gateways : gateways.toReversed();
    for (const gateway of order) {
      const answer = await cluster
        .postTo(gateway, "/v1/run", runs.body(SMALL_RUN), { "Idempotency-Key": `rolling-${count}` })
        .catch(() => null);
      if (answer) return answer;
    }
    throw new Error("No gateway answers.");
  }
});
