/** Texts about the bus, the second port, and a node's shutdown, for operators. */

export const NATS_MESSAGES = {
  unreachable: (why: unknown) => `NATS is not reachable. Retrying: ${why}`,
  rejected: (why: string) => `NATS rejects messages of this node: ${why}`,
  unreadable: (command: string) => `A message of type ${command} from the bus can't be read.`,
  lost: "The connection to NATS was lost.",
  reconnecting: "The connection to NATS was lost. Reconnecting.",
  back: "The connection to NATS is back.",
  requestTooLarge: "The request is too large to send to another node.",
  answerTooLarge: "The answer is too large to receive from another node.",
};

export const PORT_MESSAGES = {
  onlyGet: "Only GET is supported.",
  available: "Available: /metrics, /health, /ready, /live.",
  notStarted: "The node is starting or stopping.",
  notConnected: "The node is not connected to NATS.",
};

/** Descriptions of a renderer's metrics. */
export const METRIC_TEXTS = {
  httpRequests: "HTTP requests by route and status",
  httpSeconds: "Time of HTTP requests, in seconds. Event streams don't count",
  runsEnded: "Runs that ended, by conclusion, or failed or canceled",
  waiting: "Jobs waiting",
  running: "Jobs running",
  oldest: "Age of the oldest job, in seconds",
  captures: "Captured screenshots, by whether they were stable",
  attempts: "Attempts of a screenshot until it was stable",
  captureSeconds: "Time of a capture job, in seconds: a route in an environment",
  compareSeconds: "Time of a comparison, in seconds",
  monitorsOverdue: "Time since the monitor that waits longest was due, in seconds",
  busy: "Pages being rendered",
  capacity: "Pages that can be rendered concurrently",
  failures: "Screenshots that failed on this node",
};

export const LOG_MESSAGES = {
  incompatible: (node: string, theirs: number, ours: number) =>
    `The node ${node} has version ${theirs} of the message contracts, and this node has version ${ours}. They can't work together. Stop all nodes of the older version, then start this node again.`,
  incompatibleWorker: (node: string, theirs: number, ours: number) =>
    `The worker ${node} announces version ${theirs} of the message contracts, and this node has version ${ours}. It gets no requests of this node. Restart the worker with this node's version.`,
  forgedContracts: (node: string) =>
    `A node announced incompatible message contracts as ${node}. No core node has this name, so it is ignored.`,
  notStopped: (seconds: number) => `The node did not stop within ${seconds} seconds and is terminated.`,
  spansRejected: (status: number) => `The tracing endpoint rejected spans with ${status}.`,
  spansNotSent: (why: unknown) => `Spans could not be sent: ${why}`,
};
