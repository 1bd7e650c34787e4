import { call, callerOf } from "../../../shared/contracts/bus.ts";
import type { ProgressQuery, RunProgress } from "../../../shared/contracts/runs/runs.ts";
import { callerIn } from "../auth/admit.ts";
import { addressOf, credentialOf, idsOf } from "../auth/authenticate.ts";
import type { Gateway } from "../gateway-context.ts";
import { identityOf } from "../handlers/sign-in/serve-session.ts";
import type { Input } from "../routes/route.ts";
import { setEventStreamHeaders } from "./event-hub.ts";

/**
 * Streams a run's progress from its current state to its end, or with its reviews, while the reader has access.
 */
export async function serveProgress(
  gateway: Gateway,
  { identity, context, params: { id = "" }, req, res, query }: Input<unknown, ProgressQuery>,
): Promise<undefined> {
  const { teamId, actor } = callerOf(context);
  const readNow = async (): Promise<RunProgress> => {
    const { status, conclusion, progress, counts, error } = await call(context, "runs.get", { id });
    return { id, status, conclusion, progress, counts, error };
  };
  const read = async () => {
    callerIn(await gateway.authenticator.identify(context, credentialOf(req), addressOf(req)), teamId);
    return readNow();
  };
  await readNow();
  setEventStreamHeaders(res);
  if (req.method === "HEAD") return void res.end();
  const send = gateway.progress.open(
    {
      runId: id,
      actorId: actor.id,
      openedBy: idsOf(identityOf(identity)),
      reviews: query.reviews === "1",
      read,
    },
    res,
  );
  res.flushHeaders();
  // Read again once the stream is open, so that no change in between is missed.
  send(await readNow());
}
