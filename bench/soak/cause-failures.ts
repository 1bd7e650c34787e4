import { setTimeout as delay } from "node:timers/promises";
import type { ClusterNode } from "../../test/support/servers/nodes/cluster-node.ts";
import type { Random } from "./random.ts";
import { randomOf, type SoakContext } from "./soak-context.ts";

const INTERVAL_MS = [5_000, 20_000] as const;
const DOWNTIME_MS = [0, 8_000] as const;
const MAX_RENDERERS = 4;

interface Failure {
  name: string;
  /** Relative to the others. */
  weight: number;
  happen(context: SoakContext, random: Random): Promise<void>;
}

/** What fails in a fleet, and what its operators do. */
const FAILURES: Failure[] = [
  {
    name: "nodes killed",
    weight: 10,
    async happen(context, random) {
      const node = pickNode(context, random);
      await node.kill();
      await downtime(random);
      await node.start();
    },
  },
  {
    name: "nodes restarted gracefully",
    weight: 4,
    async happen(context, random) {
      const node = pickNode(context, random);
      await node.terminate();
      await downtime(random);
      await node.start();
    },
  },
  {
    name: "nodes frozen",
    weight: 2,
    async happen(context, random) {
      const node = pickNode(context, random);
      node.pause();
      await downtime(random);
      node.resume();
    },
  },
  {
    name: "renderers added",
    weight: 2,
    async happen({ cluster }) {
      if (cluster.with("renderer").length < MAX_RENDERERS) await cluster.node(["renderer"]);
    },
  },
  {
    name: "NATS killed",
    weight: 1,
    async happen({ cluster: { nats } }, random) {
      await nats.kill();
      await downtime(random);
      await nats.start();
    },
  },
  {
    name: "PostgreSQL killed",
    weight: 1,
    async happen({ cluster: { postgres } }, random) {
      await postgres.kill();
      await downtime(random);
      await postgres.start();
    },
  },
];

/** Causes one failure after another until the signal aborts; ends with the cluster complete again. */
export async function causeFailures(context: SoakContext): Promise<void> {
  const random = randomOf(context, "faults");
  const drawn = FAILURES.flatMap(failure => Array.from({ length: failure.weight }, () => failure));
  while (!context.signal.aborted) {
    const failure = random.of(drawn);
    await failure.happen(context, random);
    context.ledger.note(failure.name);
    await delay(random.between(...INTERVAL_MS), undefined, { signal: context.signal }).catch(() => {});
  }
  await context.cluster.repair();
}

/** Returns any node that is not spared. */
function pickNode({ cluster, spared }: SoakContext, random: Random): ClusterNode {
  return random.of(cluster.nodes.filter(node => !spared.includes(node)));
}

const downtime = (random: Random) => delay(random.between(...DOWNTIME_MS));
