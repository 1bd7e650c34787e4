import { z } from "zod";
import type { Cluster } from "../../test/support/servers/nodes/cluster.ts";
import type { Patterns } from "./seed-installation.ts";

/** Nothing answers here. Only simulated renderers would open it. */
export const SITE = "http://localhost:8081";

const created = z.object({ id: z.string() });

/** Lets the service write the rows that all others are copies of. */
export async function writePatterns(cluster: Cluster, pages: number): Promise<Patterns> {
  const client = cluster.client();
  const body = { url: SITE, routes: routesOf(pages), project: "pattern" };
  const first = await client.submitRun(body);
  await client.waitForRun(first.id, { intervalMs: 250 });
  await client.approve(first.id);
  const { id: runId } = await client.submitRun({ ...body, url: `${SITE}?2` });
  await client.waitForRun(runId, { intervalMs: 250 });
  const monitor = { name: "Pattern", url: SITE, routes: ["/"], intervalMinutes: 10_080 };
  const { id: monitorId } = created.parse(await (await cluster.post("/v1/monitors", monitor)).json());
  await cluster.post(`/v1/monitors/${monitorId}/run`, {});
  await untilChecked(cluster, monitorId);
  return { runId, monitorId };
}

/** Returns the routes `/0`, `/1`, …. */
export function routesOf(pages: number): string[] {
  return Array.from({ length: pages }, (_, index) => `/${index}`);
}

async function untilChecked(cluster: Cluster, monitorId: string): Promise<void> {
  const history = z.object({ data: z.array(z.object({ endedAt: z.string().nullable() })) });
  for (;;) {
    const answer = await cluster.request(`/v1/monitors/${monitorId}/history`);
    const { data } = history.parse(await answer.json());
    if (data[0]?.endedAt) return;
    await new Promise(resolve => setTimeout(resolve, 250));
  }
}
