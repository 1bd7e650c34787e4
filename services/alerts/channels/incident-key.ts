import { TEXT_LIMITS } from "../../../shared/text/text-limits.ts";
import { ownerOf } from "../conditions/condition-track.rule.ts";
import type { AlertMessage } from "../notifications/message.ts";

/** Messages that close an incident. */
const ENDINGS: ReadonlySet<AlertMessage["kind"]> = new Set([
  "recovered",
  "replaced",
  "checked",
  "renewed",
  "passing",
]);

/** Returns a key that is the same for all messages about one problem, so that they form one incident. */
export function dedupKeyOf(message: Pick<AlertMessage, "monitor" | "about">): string {
  return `${ownerOf(message)}/${message.about}`.slice(0, TEXT_LIMITS.incidentKey.max);
}

/** Returns whether a message closes the incident of its problem. */
export function isResolved({ kind }: Pick<AlertMessage, "kind">): boolean {
  return ENDINGS.has(kind);
}
