import type { Lease } from "../browser/lease.ts";
import { type Capture, CaptureError, type CaptureRequest } from "../capture-types.ts";
import { SecretValues } from "../sessions/secret-values.ts";
import { StateCaptures } from "./state-captures.ts";
import { visitPage } from "./visit-page.ts";

/**
 * Captures the only screenshot of a page without a session. An aborted signal ends the capture at once, with the
 * signal's reason.
 * @throws CaptureError that tells the page's owner what to do
 */
export async function capture(
  lease: Lease,
  { baselineHash, capsules, baselineCapsule, ...request }: CaptureRequest,
  signal?: AbortSignal,
): Promise<Capture> {
  const wanted = {
    state: null,
    baselineHash,
    ...(capsules && { capsules }),
    ...(baselineCapsule && { baselineCapsule }),
  };
  const secrets = new SecretValues(request.secrets, signal);
  const own = new StateCaptures(wanted, secrets);
  const visit = { request: { ...request, states: [wanted] }, states: [own], secrets, login: null };
  await visitPage(lease, visit, signal);
  if (own.outcome instanceof CaptureError) throw own.outcome;
  if (own.outcome === null) throw new Error("The steps of the page have no screenshot of it.");
  return own.outcome;
}
