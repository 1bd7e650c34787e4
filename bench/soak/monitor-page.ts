import { setTimeout as delay } from "node:timers/promises";
import { monitorView } from "../../shared/contracts/monitors/monitors.ts";
import { retryRequest } from "./retry-request.ts";
import { DOWN } from "./site.ts";
import { gatewayOf, post, randomOf, type SoakContext } from "./soak-context.ts";

const POLL_MS = 1_000;
/** Signs the notifications to the receiver. */
const SECRET = "secret of the soak's receiver".replaceAll(" ", "-");

/** Creates a monitor of one page, changes that page, and checks it. */
export async function monitorPage(
  context: SoakContext,
  watched: Map<string, number>,
  path: string,
): Promise<void> {
  const random = randomOf(context, path);
  const id = await createMonitor(context, path);
  context.ledger.monitors.push(id);
  await waitUntilIdle(context, id);
  while (!context.signal.aborted) {
    watched.set(path, random.happens(0.15) ? DOWN : random.between(0, 2));
    await checkNow(context, id);
    await waitUntilIdle(context, id);
    context.ledger.note("monitor checks started");
  }
}

async function createMonitor(context: SoakContext, path: string): Promise<string> {
  const webhook = { url: context.receiver.url(path), secret: SECRET };
  const response = await retryRequest(attempt =>
    post(context, attempt, "/v1/monitors", {
      name: path,
      url: context.site.url,
      routes: [path],
      viewports: [375],
      intervalMinutes: 5,
      alerts: { webhook },
    }),
  );
  if (response.status !== 201) throw new Error(await response.text());
  return monitorView.parse(await response.json()).id;
}

/** Starts a check, unless the schedule has just started one. */
async function checkNow(context: SoakContext, id: string): Promise<void> {
  const response = await retryRequest(attempt => post(context, attempt, `/v1/monitors/${id}/run`, {}));
  if (response.status !== 202 && response.status !== 409)
    context.ledger.failures.push(`Starting a check returned ${response.status}: ${await response.text()}`);
}

async function waitUntilIdle(context: SoakContext, id: string): Promise<void> {
  for (;;) {
    const { currentCheck, lastCheck } = await readMonitor(context, id);
    if (currentCheck === null && lastCheck !== null) return;
    await delay(POLL_MS);
  }
}

function readMonitor({ cluster }: SoakContext, id: string) {
  return retryRequest(async attempt => {
    const response = await fetch(`${gatewayOf(cluster, attempt)}/v1/monitors/${id}`, {
      headers: { Authorization: `Bearer ${cluster.key}` },
    });
    return monitorView.parse(await response.json());
  });
}
