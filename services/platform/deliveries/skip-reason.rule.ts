import { DELIVERY_REASONS } from "../texts.ts";
import type { PlatformEvent } from "./platform-event.rule.ts";

const ACTED_ON = new Set(["deployment.succeeded", "deployment.ready"]);
/** An event's type is its sender's text, and of any length. */
const TYPE_CHARS = 100;
const TARGET = /^[\w-]{1,50}$/;

/** Why an event starts no run, whoever it is from; null when it tells of a preview that is ready. */
export function skipReason({ type, deployment: { target, url } }: PlatformEvent): string | null {
  if (type === null || !ACTED_ON.has(type))
    return `Ignored event type: ${(type ?? "none").slice(0, TYPE_CHARS)}`;
  if (target !== null && target !== undefined) return `Skipping ${nameOf(target)} deployment`;
  if (url === null) return DELIVERY_REASONS.noUrl;
  return null;
}

function nameOf(target: unknown): string {
  return typeof target === "string" && TARGET.test(target) ? target : "production";
}
