/** Why a comparison failed. Reports show it. */
export const COMPARE_ERRORS = {
  failed: (why: string) => `The screenshot could not be compared with its baseline: ${why}`,
  unreadable: (why: string) =>
    `${why}. Submit a new run. If the page fails again, restore an earlier baseline of it.`,
  internal: "an internal error occurred. The operator can find the reason in the log.",
};

/** What operators read in the log. */
export const LOG_MESSAGES = {
  compared: "A screenshot was compared.",
  notExplained: (run: string) => `A change of ${run} could not be explained.`,
  failed: (run: string) => `A comparison of ${run} failed in all attempts.`,
};
