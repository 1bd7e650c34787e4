import { randomUUID } from "node:crypto";
import type { SubmitRunInput } from "../../shared/contracts/runs/submit-run.ts";
import { retryRequest } from "./retry-request.ts";
import { ReviewedProject } from "./reviewed-project.ts";
import { clientOf, post, randomOf, type SoakContext } from "./soak-context.ts";

const ROUTES = ["/p/0", "/p/1", "/p/2", "/p/3"];
/** Header with the variant of the page. */
export const VARIANT_HEADER = "x-look";

/** Submits runs of one project, waits for each, and approves or rejects what they find. */
export async function submitRuns(context: SoakContext, name: string): Promise<void> {
  const random = randomOf(context, name);
  const project = new ReviewedProject(context, random);
  while (!context.signal.aborted) {
    const variants = project.draw(ROUTES);
    const isCanceled = random.happens(0.05);
    const isTwice = random.happens(0.2);
    const id = await submit(context, bodyOf(context, name, variants), isTwice);
    project.accept(id, variants, isCanceled);
    context.ledger.note("runs submitted");
    if (!isCanceled) {
      await project.review(id, variants);
      continue;
    }
    await retryRequest(attempt => post(context, attempt, `/v1/runs/${id}/cancel`, {}));
    context.ledger.note("runs canceled");
    await project.wait(id);
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

function bodyOf({ site }: SoakContext, project: string, variants: Map<string, number>): SubmitRunInput {
  const perRoute = Object.fromEntries(
    [...variants].map(([route, variant]) => [route, { headers: { [VARIANT_HEADER]: String(variant) } }]),
  );
  return { url: site.url, routes: ROUTES, viewports: [375], threshold: 0, project, options: { perRoute } };
}
