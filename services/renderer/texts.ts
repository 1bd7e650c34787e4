/** All texts of renderer nodes for users and operators. */

export const RENDER_ERRORS = {
  tooHeavy:
    "The page could not be rendered, because every node that tried stopped. It may need more memory than a node has.",
  noBrowser: "No browser could be started. The operator can find the reason in the log.",
  internal:
    "The page could not be rendered because of an internal error. The operator can find the reason in the log.",
  notReady: "No browser starts on this node, so it takes no jobs. The log shows the reason.",
  waiting: (why: string) => `${why} This node takes no jobs until a browser starts.`,
  ready: "A browser started. This node takes jobs again.",
};

/** Why an HTTP check got no response. */
export const PROBE_ERRORS = {
  timeout: (seconds: number) => `The page did not respond within ${seconds} seconds.`,
  redirects: (most: number) => `The page redirects more than ${most} times.`,
  badRedirect: "The page redirects to an address that is not http or https.",
};

/** Why a node must not render without the browser's sandbox. */
export const SANDBOX_REASONS = {
  bus: "this node is part of a cluster",
  network: "other machines can reach this node",
  teams: "this node serves several teams",
};

/** What operators read in the log. */
export const LOG_MESSAGES = {
  noAllowedAddress: (why: string) => `A page requested a host without an allowed address: ${why}`,
  captured: "A route was captured.",
  failed: (run: string) => `A route of ${run} failed in all attempts.`,
  rendersWith: (browser: string, fonts: number, fingerprint: string) =>
    `Pages are rendered by ${browser} with ${fonts} fonts (fingerprint ${fingerprint}).`,
};
