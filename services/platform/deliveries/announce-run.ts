import { hashKey } from "../../../shared/api-keys.ts";
import { withTimeout } from "../../../shared/async.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { ForwardedRun } from "../../../shared/contracts/code-host/scm-actions.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import type { PlatformContext } from "../platform-context.ts";
import { LOG_MESSAGES } from "../texts.ts";

/** The platform waits meanwhile. The run is submitted also without an announcement. */
const ANNOUNCE_TIMEOUT_MS = 2_000;

/**
 * Announces a run that an installation's key is about to submit. The code-host app reports only announced runs on a
 * pull request, because a team's members can name any repository in their own runs.
 */
export async function announceRun(
  { bus, warn }: Pick<PlatformContext, "bus" | "warn">,
  apiKey: string,
  { url = "", scm }: Pick<SubmitRunInput, "url" | "scm">,
): Promise<void> {
  if (!scm) return;
  const { owner, repo, sha, pr } = scm;
  const commit = { owner, repo, sha, ...(pr !== undefined && { pr }) };
  const timedOut = () => new Error(LOG_MESSAGES.appTimeout);
  try {
    await withTimeout(announce(bus, apiKey, { url, commit }), ANNOUNCE_TIMEOUT_MS, timedOut);
  } catch (error) {
    // The integration runs alone, or the service has no code-host app.
    if (error instanceof Error && error.name === "ServiceNotFoundError") return;
    warn(error, LOG_MESSAGES.notAnnounced);
  }
}

/** Announces the run to this service. A key of another Cloud API has no team here. */
async function announce(
  bus: PlatformContext["bus"],
  apiKey: string,
  run: Omit<ForwardedRun, "teamId">,
): Promise<void> {
  const identity = await call(bus, "teams.authenticate", { keyHash: hashKey(apiKey) });
  const team = identity?.teams.find(({ deletesAt }) => deletesAt === null);
  if (team) await call(bus, "scm.forwarding", { teamId: team.id, ...run });
}
