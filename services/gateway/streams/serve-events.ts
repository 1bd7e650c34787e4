import { callerOf } from "../../../shared/contracts/bus.ts";
import { callerIn } from "../auth/admit.ts";
import { addressOf, credentialOf, idsOf } from "../auth/authenticate.ts";
import type { Gateway } from "../gateway-context.ts";
import { identityOf } from "../handlers/sign-in/serve-session.ts";
import type { Input } from "../routes/route.ts";
import { setEventStreamHeaders, startEventStream } from "./event-hub.ts";

/** Streams the ids of a team's changed runs and monitors, while the reader has access. */
export async function serveEvents(
  gateway: Gateway,
  { identity, context, req, res }: Input,
): Promise<undefined> {
  const { teamId, actor } = callerOf(context);
  setEventStreamHeaders(res);
  if (req.method === "HEAD") return void res.end();
  const check = async () => {
    callerIn(await gateway.authenticator.identify(context, credentialOf(req), addressOf(req)), teamId);
  };
  gateway.teamStreams.open({ teamId, actorId: actor.id, openedBy: idsOf(identityOf(identity)), check }, res);
  startEventStream(res);
}
