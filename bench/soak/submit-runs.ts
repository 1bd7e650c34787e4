import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { SubmitRunInput } from "../../shared/contracts/runs/submit-run.ts";
import { retryRequest } from "./retry-request.ts";
import { clientOf, post, randomOf, type SoakContext } from "./soak-context.ts";

const ROUTES = ["/p/0", "/p/1", "/p/2", "/p/3"];
const VARIANTS = 5;
/** Header with the variant of the page. */
export const VARIANT_HEADER = "x-look";

/**
 * Submits runs of one project, waits for each, and approves or rejects what they find. No other actor changes the
 * project's baselines, so the expected result of each run is known.
 */
export async function submitRuns(context: SoakContext, name: string): Promise<void> {
  const random = randomOf(context, name);
  const baselines = new Map<string, number>();
  while (!context.signal.aborted) {
    const variants = new Map(ROUTES.map(route => [route, random.between(1, VARIANTS)]));
    const expected = countsOf(variants, baselines);
    const isCanceled = random.happens(0.05);
    const isTwice = random.happens(0.2);
    const id = await submit(context, bodyOf(context, name, variants), isTwice);
    context.ledger.accept({ id, screenshots: ROUTES.length, counts: isCanceled ? null : expected });
    context.ledger.note("runs submitted");
    if (isCanceled) {
      await retryRequest(attempt => post(context, attempt, `/v1/runs/${id}/cancel`, {}));
      context.ledger.note("runs canceled");
    }
    await retryRequest(attempt => clientOf(context, attempt).waitForRun(id, { intervalMs: 500 }));
    if (isCanceled || isDeepStrictEqual(expected, { unchanged: ROUTES.length })) continue;
    if (random.happens(0.3)) await reject(context, id);
    else await approve(context, id, variants, baselines);
  }
}

/** Submits a run, sometimes twice at once, like a client whose first request seemed lost. @returns its id */
async function submit(context: SoakContext, body: SubmitRunInput, isTwice: boolean): Promise<string> {
  const key = randomUUID();
  const once = (first: number) =>
    retryRequest(attempt => clientOf(context, first + attempt).submitRun(body, key));
  const responses = await Promise.all(isTwice ? [once(0), once(1)] : [once(0)]);
  const [id, ...others] = new Set(responses.map(response => response.id));
  if (id === undefined) throw new Error("No response has a run id.");
  if (others.length > 0)
    context.ledger.failures.push(`One Idempotency-Key became ${id} and ${others.join()}.`);
  return id;
}

async function approve(
  context: SoakContext,
  id: string,
  variants: Map<string, number>,
  baselines: Map<string, number>,
): Promise<void> {
  await retryRequest(attempt => clientOf(context, attempt).approve(id));
  for (const [route, variant] of variants) baselines.set(route, variant);
  context.ledger.note("runs approved");
}

async function reject(context: SoakContext, id: string): Promise<void> {
  await retryRequest(attempt =>
    post(context, attempt, `/v1/baselines/${id}/reject`, { reason: "It is not as it was drawn." }),
  );
  context.ledger.note("runs rejected");
}

function bodyOf({ site }: SoakContext, project: string, variants: Map<string, number>): SubmitRunInput {
  const perRoute = Object.fromEntries(
    [...variants].map(([route, variant]) => [route, { headers: { [VARIANT_HEADER]: String(variant) } }]),
  );
  return { url: site.url, routes: ROUTES, viewports: [375], threshold: 0, project, options: { perRoute } };
}

function countsOf(variants: Map<string, number>, baselines: Map<string, number>): Partial<RunView["counts"]> {
  const counts: Partial<RunView["counts"]> = {};
  for (const [route, variant] of variants) {
    const baseline = baselines.get(route);
    const status = baseline === undefined ? "new" : baseline === variant ? "unchanged" : "changed";
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
