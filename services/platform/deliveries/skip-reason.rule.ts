import { DELIVERY_REASONS } from "../texts.ts";
import type { PlatformEvent } from "./platform-event.rule.ts";

const HANDLED_TYPES = new Set(["deployment.succeeded", "deployment.ready"]);
/** A sender's event type can have any length. */
const MAX_TYPE_CHARS = 100;
const TARGET = /^[\w-]{1,50}$/;

/** Returns why an event starts no run, or null for a preview that is ready. */
export function skipReason({ type, deployment: { target, url } }: PlatformEvent): string | null {
  if (type === null || !HANDLED_TYPES.has(type))
    return `Ignored event type: ${(type ?? "none").slice(0, MAX_TYPE_CHARS)}`;
  if (target !== null && target !== undefined) return `Skipping ${nameOf(target)} deployment`;
  if (url === null) return DELIVERY_REASONS.noUrl;
  return null;
}

function nameOf(target: unknown): string {
  return typeof target === "string" && TARGET.test(target) ? target : "production";
}
