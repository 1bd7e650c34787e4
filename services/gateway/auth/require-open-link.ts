import { ServiceError } from "../../../shared/errors.ts";
import { endOfDay, linkState } from "../../../shared/links/link-rules.ts";
import type { ImageLink } from "../../../shared/links/links.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Input } from "../routes/route.ts";
import { ACCESS_ERRORS } from "../texts/errors.ts";
import { teamsOfReader } from "./teams-of-reader.ts";

/**
 * Checks the rules of an image's or attachment's link. @throws ServiceError unauthorized for an expired or revoked link,
 * and for readers who must sign in; unavailable
 */
export async function requireOpenLink(
  gateway: Gateway,
  { context, req }: Pick<Input, "context" | "req">,
  team: string,
  { runId, generation, day }: ImageLink,
): Promise<void> {
  const rules = await gateway.linkAccess.rulesOf(context, team, runId);
  const state =
    rules && rules.generation === generation ? linkState(endOfDay(day), Date.now(), rules) : "expired";
  if (state === "open") return;
  if (state === "private" && (await teamsOfReader(gateway, context, req)).includes(team)) return;
  throw new ServiceError(
    "unauthorized",
    state === "private" ? ACCESS_ERRORS.privateLinks : ACCESS_ERRORS.deadImageLink,
  );
}
