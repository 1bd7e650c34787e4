import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { deliveredAnswer } from "../../shared/contracts/platform/platform.ts";
import { sign } from "../../test/support/drivers/integration.ts";
import { readyEvent } from "../../test/support/fixtures/platform-events.ts";
import { insist } from "./insist.ts";
import { chanceOf, clientOf, gatewayOf, type Scene } from "./scene.ts";

export const PROJECT = "prj_soak";
const DUPLICATE = "Duplicate delivery (already processed)";

/**
 * Simulates the deployment platform: sends webhook deliveries for ready previews, sometimes several times and
 * concurrently.
 */
export async function deliverPreviews(scene: Scene): Promise<void> {
  const chance = chanceOf(scene, "deliveries");
  for (let count = 1; !scene.signal.aborted; count++) {
    const sha = createHash("sha1").update(`${scene.seed} ${count}`).digest("hex");
    scene.ledger.commits.push(sha);
    const times = chance.of([1, 1, 2, 3]);
    const ids = await Promise.all(
      Array.from({ length: times }, (_, first) => deliver(scene, first, `delivery-${count}`, sha)),
    );
    scene.ledger.note("previews delivered");
    for (const id of ids) {
      if (id !== null) await insist(attempt => clientOf(scene, attempt).waitForRun(id, { intervalMs: 500 }));
    }
    await delay(chance.between(0, 3_000));
  }
}

/** @returns the run; null when the delivery was known already */
async function deliver(scene: Scene, first: number, id: string, sha: string): Promise<string | null> {
  const meta = { scmCommitSha: sha, scmOrg: "soak", scmRepo: "previews", scmCommitRef: "main" };
  const event = readyEvent({
    id,
    deployment: { url: scene.preview.url, meta },
    payload: { project: { id: PROJECT }, team: { id: "team_soak" } },
  });
  const body = JSON.stringify(event);
  return insist(async attempt => {
    const answer = await fetch(`${gatewayOf(scene.cluster, first + attempt)}/api/webhook`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "x-platform-signature": sign(body) },
      body,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`A delivery was answered ${answer.status}: ${text}`);
    const delivered = deliveredAnswer.parse(JSON.parse(text));
    if (delivered.triggered) return delivered.runId;
    if (delivered.reason !== DUPLICATE) scene.ledger.faults.push(`A delivery was answered ${text}`);
    return null;
  });
}
