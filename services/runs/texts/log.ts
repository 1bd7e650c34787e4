/** What operators read in the log. */
export const LOG_MESSAGES = {
  transfersFailed: "Exports and imports could not be continued. The service will retry.",
  transferFailed: (id: string) => `${id} was interrupted. The service will retry.`,
  noMask: (id: string) => `The changed pixels of ${id} could not be read, so a preview leaves it out.`,
  notRecompared: (run: string) => `${run} could not be compared again. Its rules apply from the next run on.`,
  proofNotQueued: (id: string) => `The proof of ${id} could not be queued. It is tried again.`,
  proofsNotRecovered: "Lost proofs could not be recovered.",
  eventsNotPublished: "Events for webhooks could not be handed over. The service will retry.",
  withoutConfiguration: "A run continues without its repository's configuration.",
  imagesNotCleaned: "Images could not be cleaned up. The service will retry.",
  imagesCleaned: "Images without a run were cleaned up.",
  notRefunded: (run: string) => `The usage of ${run} could not be refunded yet.`,
  notMoved: "Runs could not be moved to other renderers. The service will retry.",
  moved: (fingerprint: string, run: string, to: string, screenshots: number) =>
    `No renderer with the fingerprint ${fingerprint} is left. ${run} continues with ${to} and captures ${screenshots} screenshots again.`,
  runsNotDeleted: "Old runs could not be deleted. The service will retry.",
  runsDeleted: "Runs beyond the retention period were deleted.",
  runsOfNotDeleted: (team: string) => `Old runs of ${team} could not be deleted. The service will retry.`,
  wrongToken: "The token does not match the job.",
  resultRejected: (run: string, screenshot: string) =>
    `A result was rejected. It names run ${run}, screenshot ${screenshot}.`,
  resultNotStored: (run: string) => `A result of ${run} could not be stored.`,
  recoveryFailed: "The recovery sweep failed.",
  reviewersNotForgotten: "People who left could not be removed from reviewer rules. The service will retry.",
  nullRerunsNotSubmitted: "Null reruns could not be submitted. The service will retry.",
  nullRerunNotSubmitted: (run: string) =>
    `The null rerun of ${run} was not submitted. The service will retry.`,
  buildNotCompleted: (run: string) => `The build ${run} was not completed. The service will retry.`,
  notQueued: (run: string) => `${run} was not queued.`,
  storiesNotQueued: (team: string) => `The waiting Storybooks of ${team} were not queued.`,
};
