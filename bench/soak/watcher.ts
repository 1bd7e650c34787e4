import { setTimeout as delay } from "node:timers/promises";
import { monitorView } from "../../shared/contracts/monitors/monitors.ts";
import { insist } from "./insist.ts";
import { chanceOf, gatewayOf, post, type Scene } from "./scene.ts";
import { DOWN } from "./site.ts";

const POLL_MS = 1_000;
/** Signs the notifications to the receiver. */
const SECRET = "secret of the soak's receiver".replaceAll(" ", "-");

/** Creates a monitor of one page, changes that page, and checks it. */
export async function watchPage(scene: Scene, watched: Map<string, number>, path: string): Promise<void> {
  const chance = chanceOf(scene, path);
  const id = await createMonitor(scene, path);
  scene.ledger.monitors.push(id);
  await waitUntilIdle(scene, id);
  while (!scene.signal.aborted) {
    watched.set(path, chance.happens(0.15) ? DOWN : chance.between(0, 2));
    await checkNow(scene, id);
    await waitUntilIdle(scene, id);
    scene.ledger.note("monitor checks by hand");
  }
}

async function createMonitor(scene: Scene, path: string): Promise<string> {
  const webhook = { url: scene.receiver.url(path), secret: SECRET };
  const answer = await insist(attempt =>
    post(scene, attempt, "/v1/monitors", {
      name: path,
      url: scene.site.url,
      routes: [path],
      viewports: [375],
      intervalMinutes: 5,
      alerts: { webhook },
    }),
  );
  if (answer.status !== 201) throw new Error(await answer.text());
  return monitorView.parse(await answer.json()).id;
}

/** Starts a check, unless the schedule has just started one. */
async function checkNow(scene: Scene, id: string): Promise<void> {
  const answer = await insist(attempt => post(scene, attempt, `/v1/monitors/${id}/run`, {}));
  if (answer.status !== 202 && answer.status !== 409)
    scene.ledger.faults.push(`A check by hand was answered ${answer.status}: ${await answer.text()}`);
}

async function waitUntilIdle(scene: Scene, id: string): Promise<void> {
  for (;;) {
    const { currentCheck, lastCheck } = await readMonitor(scene, id);
    if (currentCheck === null && lastCheck !== null) return;
    await delay(POLL_MS);
  }
}

function readMonitor({ cluster }: Scene, id: string) {
  return insist(async attempt => {
    const answer = await fetch(`${gatewayOf(cluster, attempt)}/v1/monitors/${id}`, {
      headers: { Authorization: `Bearer ${cluster.key}` },
    });
    return monitorView.parse(await answer.json());
  });
}
