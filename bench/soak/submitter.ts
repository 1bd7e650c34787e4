import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { SubmitRunInput } from "../../shared/contracts/runs/submit-run.ts";
import { insist } from "./insist.ts";
import { chanceOf, clientOf, post, type Scene } from "./scene.ts";

const ROUTES = ["/p/0", "/p/1", "/p/2", "/p/3"];
const LOOKS = 5;
/** Header with the look of the page. */
export const LOOK_HEADER = "x-look";

/**
 * Submits runs of one project, waits for each, and approves or rejects what they find. No other actor changes the
 * project's baselines, so the expected result of each run is known.
 */
export async function submitRuns(scene: Scene, name: string): Promise<void> {
  const chance = chanceOf(scene, name);
  const baselines = new Map<string, number>();
  while (!scene.signal.aborted) {
    const looks = new Map(ROUTES.map(route => [route, chance.between(1, LOOKS)]));
    const expected = countsOf(looks, baselines);
    const isCanceled = chance.happens(0.05);
    const isTwice = chance.happens(0.2);
    const id = await submit(scene, bodyOf(scene, name, looks), isTwice);
    scene.ledger.accept({ id, screenshots: ROUTES.length, counts: isCanceled ? null : expected });
    scene.ledger.note("runs submitted");
    if (isCanceled) {
      await insist(attempt => post(scene, attempt, `/v1/runs/${id}/cancel`, {}));
      scene.ledger.note("runs canceled");
    }
    await insist(attempt => clientOf(scene, attempt).waitForRun(id, { intervalMs: 500 }));
    if (isCanceled || isDeepStrictEqual(expected, { unchanged: ROUTES.length })) continue;
    if (chance.happens(0.3)) await reject(scene, id);
    else await approve(scene, id, looks, baselines);
  }
}

/** Submits a run, sometimes twice at once, like a client whose first request seemed lost. @returns its id */
async function submit(scene: Scene, body: SubmitRunInput, isTwice: boolean): Promise<string> {
  const key = randomUUID();
  const once = (first: number) => insist(attempt => clientOf(scene, first + attempt).submitRun(body, key));
  const answers = await Promise.all(isTwice ? [once(0), once(1)] : [once(0)]);
  const [id, ...others] = new Set(answers.map(answer => answer.id));
  if (id === undefined) throw new Error("No run was answered.");
  if (others.length > 0) scene.ledger.faults.push(`One Idempotency-Key became ${id} and ${others.join()}.`);
  return id;
}

async function approve(
  scene: Scene,
  id: string,
  looks: Map<string, number>,
  baselines: Map<string, number>,
): Promise<void> {
  await insist(attempt => clientOf(scene, attempt).approve(id));
  for (const [route, look] of looks) baselines.set(route, look);
  scene.ledger.note("runs approved");
}

async function reject(scene: Scene, id: string): Promise<void> {
  await insist(attempt =>
    post(scene, attempt, `/v1/baselines/${id}/reject`, { reason: "It is not as it was drawn." }),
  );
  scene.ledger.note("runs rejected");
}

function bodyOf({ site }: Scene, project: string, looks: Map<string, number>): SubmitRunInput {
  const perRoute = Object.fromEntries(
    [...looks].map(([route, look]) => [route, { headers: { [LOOK_HEADER]: String(look) } }]),
  );
  return { url: site.url, routes: ROUTES, viewports: [375], threshold: 0, project, options: { perRoute } };
}

function countsOf(looks: Map<string, number>, baselines: Map<string, number>): Partial<RunView["counts"]> {
  const counts: Partial<RunView["counts"]> = {};
  for (const [route, look] of looks) {
    const baseline = baselines.get(route);
    const status = baseline === undefined ? "new" : baseline === look ? "unchanged" : "changed";
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
