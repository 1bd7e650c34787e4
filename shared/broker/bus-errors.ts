/** Refusals that come before anything was done, each naming the action that it refuses. */
const REFUSALS = new Set(["ServiceNotFoundError", "ServiceNotAvailableError", "QueueIsFullError"]);

/** Whether nobody has begun what was asked of `action`: asking again is safe, whatever it does. */
export function isUnstarted(error: unknown, action: string): boolean {
  if (!(error instanceof Error)) return false;
  // Another node's word for it is about something that it asked of a third one.
  if (error.name === "BrokerDisconnectedError") return !("nodeID" in error) || error.nodeID === undefined;
  return REFUSALS.has(error.name) && "data" in error && nameIn(error.data) === action;
}

function nameIn(data: unknown): unknown {
  return typeof data === "object" && data !== null && "action" in data ? data.action : undefined;
}

/**
 * Whether asking another node, or the same one a little later, may help: the node went away meanwhile, or it says that
 * it lacks something for now. What was asked may have been done.
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "RequestRejectedError" || ("type" in error && error.type === "unavailable");
}

/** Whether the node itself did not do its part. That it refuses a client's request, or lacks the database, is none of that. */
export function isNodeFailure(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === "RequestTimeoutError" || error.name === "RequestRejectedError")
  );
}
