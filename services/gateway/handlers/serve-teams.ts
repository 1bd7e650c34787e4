import { call } from "../../../shared/contracts/bus.ts";
import type { TeamsBody } from "../../../shared/contracts/teams/people.ts";
import { callerIn } from "../auth/admit.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Answer, Input } from "../routes/route.ts";
import { identityOf } from "./sign-in/serve-session.ts";

/** Creates a team, or changes the members of the team that the body names. */
export async function postTeams(
  _gateway: Gateway,
  { body, identity, context }: Input<TeamsBody>,
): Promise<Answer> {
  const { name, teamId, add, remove } = body;
  if (name !== undefined) return { status: 201, body: await call(context, "teams.create", { name }) };
  context.meta.caller = callerIn(identityOf(identity), teamId ?? "");
  return { status: 200, body: await call(context, "teams.manage", { add, remove }) };
}
