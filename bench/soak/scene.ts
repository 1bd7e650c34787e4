import { ApiClient } from "../../shared/api-client.ts";
import type { PreviewSite } from "../../test/support/fakes/preview-site.ts";
import type { Site } from "../../test/support/fixtures/site.ts";
import type { Cluster } from "../../test/support/servers/cluster.ts";
import type { ClusterNode } from "../../test/support/servers/cluster-node.ts";
import type { HttpReceiver } from "../../test/support/servers/http-receiver.ts";
import { Chance } from "./chance.ts";
import type { Ledger } from "./ledger.ts";

/** What all actors of a soak test know of the service. */
export interface Scene {
  cluster: Cluster;
  site: Site;
  preview: PreviewSite;
  receiver: HttpReceiver;
  ledger: Ledger;
  /** Nodes that no failure affects: their memory must not grow. */
  spared: readonly ClusterNode[];
  seed: number;
  /** Aborts when no actor may start anything else. */
  signal: AbortSignal;
}

/** Returns the random source of an actor. */
export function chanceOf({ seed }: Scene, name: string): Chance {
  return new Chance(seed, name);
}

/** Returns a client of one of the gateways, another one at each attempt. */
export function clientOf({ cluster }: Scene, attempt: number): ApiClient {
  return new ApiClient({ baseUrl: gatewayOf(cluster, attempt), apiKey: cluster.key });
}

export function gatewayOf(cluster: Cluster, attempt: number): string {
  const gateways = cluster.with("gateway");
  return gateways[attempt % gateways.length]?.baseUrl ?? cluster.baseUrl;
}

/** Posts JSON to one of the gateways. @throws Error for a response that a retry may change */
export async function post(scene: Scene, attempt: number, path: string, body: unknown): Promise<Response> {
  const answer = await scene.cluster.postTo(gatewayOf(scene.cluster, attempt), path, body);
  if (answer.status >= 500 || answer.status === 429) throw new Error(`${path}: ${await answer.text()}`);
  return answer;
}
