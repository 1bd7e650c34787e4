import { hashKey } from "../../../shared/api-keys.ts";
import { bounded } from "../../../shared/capture/page/bounded.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { ForwardedRun } from "../../../shared/contracts/code-host/scm-actions.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import type { PlatformContext } from "../platform-context.ts";
import { LOG_MESSAGES } from "../texts.ts";

/** The platform waits meanwhile; a run goes on without it. */
const WITHIN_MS = 2_000;

/**
 * Announces a run that is about to be submitted with an installation's key: the code-host app reports on its pull
 * request just what is announced here, since a team's members name whatever repository they like in runs of their own.
 */
export async function announceRun(
  { bus, warn }: Pick<PlatformContext, "bus" | "warn">,
  apiKey: string,
  { url, scm }: Pick<SubmitRunInput, "url" | "scm">,
): Promise<void> {
  if (!scm) return;
  const { owner, repo, sha, pr } = scm;
  const commit = { owner, repo, sha, ...(pr !== undefined && { pr }) };
  const late = () => new Error(LOG_MESSAGES.appTimeout);
  try {
    await bounded(announce(bus, apiKey, { url, commit }), WITHIN_MS, late);
  } catch (error) {
    // An integration by itself, or a service without the code-host app.
    if (error instanceof Error && error.name === "ServiceNotFoundError") return;
    warn(error, LOG_MESSAGES.notAnnounced);
  }
}

/** A key of a Cloud API elsewhere is none here. */
async function announce(
  bus: PlatformContext["bus"],
  apiKey: string,
  run: Omit<ForwardedRun, "teamId">,
): Promise<void> {
  const identity = await call(bus, "teams.authenticate", { keyHash: hashKey(apiKey) });
  const team = identity?.teams.find(({ deletesAt }) => deletesAt === null);
  if (team) await call(bus, "scm.forwarding", { teamId: team.id, ...run });
}
