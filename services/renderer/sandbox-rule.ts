import { SANDBOX_REASONS } from "./texts.ts";
/** Where a node stands that has no sandbox. */
export interface NodePlace {
  allowUnsandboxed: boolean;
  /** Whether it is a node among others. */
  isOnBus: boolean;
  isLoopbackOnly: boolean;
  /** Teams that were not deleted. */
  teams: number;
}

/** Returns why a node may not render without the browser's sandbox; null where it may. */
export function whyNotUnsandboxed({
  allowUnsandboxed,
  isOnBus,
  isLoopbackOnly,
  teams,
}: NodePlace): string | null {
  if (allowUnsandboxed) return null;
  if (isOnBus) return SANDBOX_REASONS.bus;
  if (!isLoopbackOnly) return SANDBOX_REASONS.network;
  return teams > 1 ? SANDBOX_REASONS.teams : null;
}
