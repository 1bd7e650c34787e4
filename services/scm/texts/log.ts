/** The log messages for operators. */
export const LOG_MESSAGES = {
  overdue: (seconds: number) => `The work took longer than ${seconds} seconds.`,
  hookNotCreated: (connection: string) =>
    `The webhook of ${connection} could not be written. The service retries a change. Create a missing one at the code host, or set the token again.`,
  accessNotNoted: (connection: string) => `The state of ${connection} could not be stored.`,
  hookNotDeleted: (connection: string) =>
    `The webhook of ${connection} could not be deleted. Delete it at the code host.`,
  tokenNotRotated: (connection: string) =>
    `The token of ${connection} could not be replaced yet. The service will retry.`,
  tokenLost: (connection: string) =>
    `The new token of ${connection} could not be stored. Set a new token in the connection.`,
  notReported: (run: string) => `${run} could not be reported.`,
  runsNotRead: "The runs of a commit could not be read.",
  leaseNotRenewed: "The lease of a check could not be renewed.",
  deliveryLeaseNotRenewed: "The lease of an event could not be renewed.",
  notSubmitted: (owner: string, repo: string) =>
    `The run of a commit of ${owner}/${repo} could not be submitted. The service will retry.`,
  delayed: (owner: string, repo: string) => `The check of ${owner}/${repo} is delayed.`,
  detailsRejected: (checkRun: unknown) =>
    `The code host rejects the details of check run ${checkRun}. Only the conclusion is sent.`,
  notCompleted: (owner: string, repo: string) => `The check of ${owner}/${repo} could not be completed.`,
  approvalNotShown: "An approval could not be shown yet.",
  notCanceled: (run: string) => `${run} could not be canceled.`,
  notBootstrapped: "A repository could not be bootstrapped yet. The service will retry.",
  permissionsNotChecked: "The code-host app's permissions could not be checked. The service will retry.",
  permissionsLater: "The code host is not responding. The app's permissions are checked later.",
  permission: (name: string, access: string) => `the permission ${name}: ${access}`,
  event: (name: string) => `the event ${name}`,
  lacks: (what: string, app: string | undefined) =>
    `The code-host app lacks ${what}. Add them in the settings of ${app}, and accept them where it is installed.`,
  notCompletedYet: "A check could not be completed yet. The service will retry.",
  noAccess: (owner: string, repo: string) => `The app has no access to the configuration of ${owner}/${repo}`,
  eventNotHandled: (event: string) => `The event ${event} could not be handled. The service will retry.`,
  requestFailed: (event: string) => `A request to the code host for the event ${event} failed.`,
  noTeam: "The app has no team.",
  callbackNotDelivered: "A callback could not be delivered.",
  wrongKey: "SERVICE_API_KEY is unknown or was revoked.",
  checkNotUpdated: "A check was started, but could not be updated. The service will retry.",
  checkNotCreated: "A check could not be created.",
  sweepFailed: "The recovery sweep failed. The service will retry.",
  completedNotRead: "Completed runs could not be read. The service will retry.",
  goneTeamsNotDeleted: "The data of deleted teams could not be deleted. The service will retry.",
  rowsNotDeleted: "Expired rows could not be deleted. The service will retry.",
  appNotNotified: (run: string, why: string) => `The code-host app could not be notified of ${run}: ${why}.`,
  commentLeaseNotRenewed: "The lease of a comment could not be renewed.",
  commentRejected: (pull: number) =>
    `The code host rejects the details of the comment on ${pull}. Only the conclusion is sent.`,
  threadsNotMirrored: (owner: string, repo: string, pull: number) =>
    `The threads of pull request ${pull} of ${owner}/${repo} could not be written.`,
  threadsNotRequested: "The threads of open pull requests could not be read. The service will retry.",
  commentNotWritten: (pull: number) => `The comment on ${pull} could not be written.`,
  repositoriesNotListed: "The repositories of an installation could not be listed.",
  notCarried: "Approvals could not be carried over yet. The service will retry.",
};
