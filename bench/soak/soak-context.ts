import { ApiClient } from "../../shared/api/api-client.ts";
import type { PreviewSite } from "../../test/support/fakes/preview-site.ts";
import type { Site } from "../../test/support/fixtures/site.ts";
import type { HttpReceiver } from "../../test/support/servers/http/http-receiver.ts";
import type { Cluster } from "../../test/support/servers/nodes/cluster.ts";
import type { ClusterNode } from "../../test/support/servers/nodes/cluster-node.ts";
import type { Ledger } from "./ledger.ts";
import { Random } from "./random.ts";

/** What all actors of a soak test know of the service. */
export interface SoakContext {
  cluster: Cluster;
  site: Site;
  preview: PreviewSite;
  /** Receives the alerts of monitors. */
  receiver: HttpReceiver;
  /** Receives the team's events. */
  events: HttpReceiver;
  ledger: Ledger;
  /** Nodes that no failure affects: their memory must not grow. */
  spared: readonly ClusterNode[];
  /** Folder of all nodes' temporary files. */
  temporary: string;
  seed: number;
  /** Aborts when no actor may start anything else. */
  signal: AbortSignal;
}

/** Returns the random source of an actor. */
export function randomOf({ seed }: SoakContext, name: string): Random {
  return new Random(seed, name);
}

/** Returns a client of one of the gateways, another one at each attempt. */
export function clientOf({ cluster }: SoakContext, attempt: number): ApiClient {
  return new ApiClient({ baseUrl: gatewayOf(cluster, attempt), apiKey: cluster.key });
}

export function gatewayOf(cluster: Cluster, attempt: number): string {
  const gateways = cluster.with("gateway");
  return gateways[attempt % gateways.length]?.baseUrl ?? cluster.baseUrl;
}

/** Posts JSON to one of the gateways. @throws Error for a response that a retry may change */
export async function post(
  context: SoakContext,
  attempt: number,
  path: string,
  body: unknown,
): Promise<Response> {
  const response = await context.cluster.postTo(gatewayOf(context.cluster, attempt), path, body);
  if (response.status >= 500 || response.status === 429) throw new Error(`${path}: ${await response.text()}`);
  return response;
}
