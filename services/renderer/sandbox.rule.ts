import { SANDBOX_REASONS } from "./texts.ts";
/** The situation of a node without a sandbox. */
export interface NodeSituation {
  allowUnsandboxed: boolean;
  /** Whether the node is part of a cluster. */
  isOnBus: boolean;
  isLoopbackOnly: boolean;
  /** Number of teams that aren't deleted. */
  teams: number;
}

/** Returns why a node must not render without the browser's sandbox. Null if it may. */
export function whyNotUnsandboxed({
  allowUnsandboxed,
  isOnBus,
  isLoopbackOnly,
  teams,
}: NodeSituation): string | null {
  if (allowUnsandboxed) return null;
  if (isOnBus) return SANDBOX_REASONS.bus;
  if (!isLoopbackOnly) return SANDBOX_REASONS.network;
  return teams > 1 ? SANDBOX_REASONS.teams : null;
}
