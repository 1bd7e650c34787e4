/** Rejections before an action starts. Each names the action. */
const REFUSALS = new Set(["ServiceNotFoundError", "ServiceNotAvailableError", "QueueIsFullError"]);

/** Returns whether the call of `action` was never started, so that it is safe to retry. */
export function isUnstarted(error: unknown, action: string): boolean {
  if (!(error instanceof Error)) return false;
  // With a node id, it is about a nested call to a third node.
  if (error.name === "BrokerDisconnectedError") return !("nodeID" in error) || error.nodeID === undefined;
  return REFUSALS.has(error.name) && "data" in error && nameIn(error.data) === action;
}

function nameIn(data: unknown): unknown {
  return typeof data === "object" && data !== null && "action" in data ? data.action : undefined;
}

/**
 * Returns whether a retry may help: the node went away during the call, or lacks a resource for now. The call
 * may already have had its effect.
 */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "RequestRejectedError" || ("type" in error && error.type === "unavailable");
}

/**
 * Returns whether the node itself failed. Rejected client requests and an unavailable database don't count.
 */
export function isNodeFailure(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === "RequestTimeoutError" || error.name === "RequestRejectedError")
  );
}
