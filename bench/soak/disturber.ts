import { setTimeout as delay } from "node:timers/promises";
import type { ClusterNode } from "../../test/support/servers/cluster-node.ts";
import type { Chance } from "./chance.ts";
import { chanceOf, type Scene } from "./scene.ts";

const EVERY_MS = [5_000, 20_000] as const;
const AWAY_MS = [0, 8_000] as const;
const RENDERERS_AT_MOST = 4;

interface Failure {
  name: string;
  /** Relative to the others. */
  weight: number;
  happen(scene: Scene, chance: Chance): Promise<void>;
}

/** What fails in a fleet, and what its operators do. */
const FAULTS: Failure[] = [
  {
    name: "nodes killed",
    weight: 10,
    async happen(scene, chance) {
      const node = victim(scene, chance);
      await node.kill();
      await away(chance);
      await node.start();
    },
  },
  {
    name: "nodes restarted in good order",
    weight: 4,
    async happen(scene, chance) {
      const node = victim(scene, chance);
      await node.terminate();
      await away(chance);
      await node.start();
    },
  },
  {
    name: "nodes frozen",
    weight: 2,
    async happen(scene, chance) {
      const node = victim(scene, chance);
      node.pause();
      await away(chance);
      node.resume();
    },
  },
  {
    name: "renderers added",
    weight: 2,
    async happen({ cluster }) {
      if (cluster.with("renderer").length < RENDERERS_AT_MOST) await cluster.node(["renderer"]);
    },
  },
  {
    name: "NATS killed",
    weight: 1,
    async happen({ cluster: { nats } }, chance) {
      await nats.kill();
      await away(chance);
      await nats.start();
    },
  },
  {
    name: "PostgreSQL killed",
    weight: 1,
    async happen({ cluster: { postgres } }, chance) {
      await postgres.kill();
      await away(chance);
      await postgres.start();
    },
  },
];

/** Causes one failure after another until the signal aborts; ends with the cluster complete again. */
export async function disturb(scene: Scene): Promise<void> {
  const chance = chanceOf(scene, "faults");
  const drawn = FAULTS.flatMap(fault => Array.from({ length: fault.weight }, () => fault));
  while (!scene.signal.aborted) {
    const fault = chance.of(drawn);
    await fault.happen(scene, chance);
    scene.ledger.note(fault.name);
    await delay(chance.between(...EVERY_MS), undefined, { signal: scene.signal }).catch(() => {});
  }
  await scene.cluster.repair();
}

/** Returns any node that is not spared. */
function victim({ cluster, spared }: Scene, chance: Chance): ClusterNode {
  return chance.of(cluster.nodes.filter(node => !spared.includes(node)));
}

const away = (chance: Chance) => delay(chance.between(...AWAY_MS));
