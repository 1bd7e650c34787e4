import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { deliveredAnswer } from "../../shared/contracts/platform/platform.ts";
import { sign } from "../../test/support/drivers/integration.ts";
import { readyEvent } from "../../test/support/fixtures/platform-events.ts";
import { retryRequest } from "./retry-request.ts";
import { clientOf, gatewayOf, randomOf, type SoakContext } from "./soak-context.ts";

export const PROJECT = "prj_soak";
const DUPLICATE = "Duplicate delivery (already processed)";

/**
 * Simulates the deployment platform: sends webhook deliveries for ready previews, sometimes several times and
 * concurrently.
 */
export async function deliverPreviews(context: SoakContext): Promise<void> {
  const random = randomOf(context, "deliveries");
  for (let count = 1; !context.signal.aborted; count++) {
    const sha = createHash("sha1").update(`${context.seed} ${count}`).digest("hex");
    context.ledger.commits.push(sha);
    const times = random.of([1, 1, 2, 3]);
    const ids = await Promise.all(
      Array.from({ length: times }, (_, first) => deliver(context, first, `delivery-${count}`, sha)),
    );
    context.ledger.note("previews delivered");
    for (const id of ids) {
      if (id !== null)
        await retryRequest(attempt => clientOf(context, attempt).waitForRun(id, { intervalMs: 500 }));
    }
    await delay(random.between(0, 3_000));
  }
}

/** @returns the run; null when the delivery was known already */
async function deliver(context: SoakContext, first: number, id: string, sha: string): Promise<string | null> {
  const meta = { scmCommitSha: sha, scmOrg: "soak", scmRepo: "previews", scmCommitRef: "main" };
  const event = readyEvent({
    id,
    deployment: { url: context.preview.url, meta },
    payload: { project: { id: PROJECT }, team: { id: "team_soak" } },
  });
  const body = JSON.stringify(event);
  return retryRequest(async attempt => {
    const response = await fetch(`${gatewayOf(context.cluster, first + attempt)}/api/webhook`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "x-platform-signature": sign(body) },
      body,
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`A delivery returned ${response.status}: ${text}`);
    const delivered = deliveredAnswer.parse(JSON.parse(text));
    if (delivered.triggered) return delivered.runId;
    if (delivered.reason !== DUPLICATE) context.ledger.failures.push(`A delivery returned ${text}`);
    return null;
  });
}
