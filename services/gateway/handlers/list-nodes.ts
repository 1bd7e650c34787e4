import type { ServiceBroker } from "moleculer";
import { z } from "zod";
import { listRenderers, type Renderer } from "../../../shared/broker/renderers.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import type { Fleet, FleetNode, FleetWork } from "../../../shared/contracts/fleet.ts";
import { findMixedRenderers } from "../../../shared/mixed-renderers.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Answer } from "../routes/route.ts";
import { FLEET_FAILURES } from "../texts/errors.ts";

/** A node that hangs is shown without data that only it has. */
const NODE_TIMEOUT_MS = 1_500;

type RegisteredNode = ReturnType<ServiceBroker["registry"]["nodes"]["list"]>[number];

/** The part of Moleculer's node status that is shown. */
const health = z.object({ process: z.object({ memory: z.object({ rss: z.int() }) }) });
const metadata = z.object({ version: z.string(), startedAt: z.string() });

/** Answers with the nodes of the fleet and their work. */
export async function listNodes({ broker }: Gateway): Promise<Answer> {
  const nodes = broker.registry.nodes.list({ onlyAvailable: true, withServices: true });
  const renderers = listRenderers(broker);
  const [data, work] = await Promise.all([
    Promise.all(nodes.map(node => viewOfNode(broker, node, renderers))),
    readWork(broker, nodes),
  ]);
  data.sort((a, b) => (a.id < b.id ? -1 : 1));
  const body: Fleet = {
    data,
    faults: failuresOf(renderers),
    queues: work?.queues ?? null,
    recentFailures: work?.recentFailures ?? null,
  };
  return { status: 200, body };
}

function failuresOf(renderers: Renderer[]): Fleet["faults"] {
  if (renderers.length === 0)
    return [{ code: "no_renderer", message: FLEET_FAILURES.noRenderer, differs: [], groups: [] }];
  const mixed = findMixedRenderers(renderers);
  return mixed ? [{ code: "mixed_renderers", ...mixed }] : [];
}

async function viewOfNode(
  broker: ServiceBroker,
  node: RegisteredNode,
  renderers: Renderer[],
): Promise<FleetNode> {
  const services = servicesOf(node);
  const [memoryBytes, rendering, cpuPercent] = await Promise.all([
    memoryOf(broker, node.id),
    services.includes("renderer") ? callNode(broker, node.id, "renderer.load").catch(() => null) : null,
    node.cpu ?? (node.local ? broker.getCpuUsage().then(({ avg }) => Math.round(avg)) : null),
  ]);
  const renderer = renderers.find(({ nodeId }) => nodeId === node.id);
  const published = metadata.safeParse(node.metadata).data;
  return {
    id: node.id,
    hostname: node.hostname ?? "",
    services,
    version: published?.version ?? null,
    startedAt: published?.startedAt ?? null,
    lastSeenAt: lastSeen(node).toISOString(),
    cpuPercent,
    memoryBytes,
    rendering,
    region: renderer?.region ?? null,
    fingerprint: renderer?.rendering ?? null,
  };
}

function servicesOf(node: RegisteredNode): string[] {
  const names = node.services.map(({ name }) => String(name));
  return names.filter(name => !name.startsWith("$")).sort();
}

/** Moleculer counts in seconds since this process started. */
function lastSeen(node: RegisteredNode): Date {
  const secondsAgo = node.local ? 0 : Math.max(0, process.uptime() - node.lastHeartbeatTime);
  return new Date(Date.now() - secondsAgo * 1_000);
}

async function memoryOf(broker: ServiceBroker, nodeID: string): Promise<number | null> {
  try {
    const answer = await broker.call("$node.health", {}, { nodeID, timeout: NODE_TIMEOUT_MS, retries: 0 });
    return health.parse(answer).process.memory.rss;
  } catch {
    return null;
  }
}

/**
 * Every node with the runs service knows all of it. The first response counts, so that a node that hangs delays
 * nothing.
 */
function readWork(broker: ServiceBroker, nodes: RegisteredNode[]): Promise<FleetWork | null> {
  const runsNodes = nodes.filter(node => servicesOf(node).includes("runs"));
  return Promise.any(runsNodes.map(({ id }) => callNode(broker, id, "runs.fleet"))).catch(() => null);
}

/** Calls an action of this node, without a retry. */
function callNode<N extends ActionName>(
  broker: ServiceBroker,
  nodeID: string,
  action: N,
): Promise<Actions[N]["result"]> {
  return broker.call(action, {}, { nodeID, timeout: NODE_TIMEOUT_MS, retries: 0 });
}
