/** Responses to the platform's deliveries. Texts that the wire contract sets are in the files that send them. */

export const API_ERRORS = {
  timeout: "The Cloud API did not respond in time",
  unreachable: (why: string) => `The Cloud API could not be reached: ${why}`,
  unreadable: "The response of the Cloud API could not be read",
};

export const DELIVERY_REASONS = {
  inProgress: "An identical delivery is still being processed",
  noConsent: "There is no such consent. Check its key.",
  databaseAway: "The database isn't responding. Deliver the event again",
  noTeam: "The installation has no team yet. Deliver the event again",
  variablesAway: "The project's variables have an API key and can't be read. Deliver the event again",
  notJson: "Body is not a JSON object",
  noUrl: "Deployment has no URL",
};

/** The log messages for operators. */
export const LOG_MESSAGES = {
  appTimeout: "The code-host app did not respond in time.",
  notAnnounced: "A preview's run could not be announced, so its pull request gets no check.",
  runRejected: (status: unknown, why: string) =>
    `The Cloud API rejected the run of a preview: ${status} ${why}.`,
  notInstalled: (why: string) => `The integration was not installed: ${why}`,
  databaseAway: "The database is not responding. Deliveries for custom domains get 503 meanwhile.",
  databaseTimeout: "The database did not respond in time.",
  teamNotCreated: (install: string, why: string) => `The team of ${install} was not created: ${why}`,
  adminNotAdded: (install: string, login: string, why: string) =>
    `${login} was not added to the team of ${install}: ${why}. Add an admin with POST /v1/admin/installs/${install}/admins.`,
  usesOperatorsTeam: (install: string, why: string) =>
    `Runs of ${install} are for the team of SERVICE_API_KEY: ${why}`,
  teamsNotForgotten: "The keys of deleted teams could not be deleted. The service will retry.",
  rowsNotDeleted: "Expired rows could not be deleted. The service will retry.",
  invalidVariable: (variable: string, project: string) =>
    `${variable} of project ${project} is invalid and is left out.`,
  wrongKey: (project: string) =>
    `SERVICE_API_KEY of project ${project} isn't a key of the Cloud API and is left out.`,
  variablesNotRead: (project: string, why: string) =>
    `The variables of project ${project} can't be read: ${why}`,
};

/** The errors of changed installations. Some follow a field's name. */
export const INSTALL_ERRORS = {
  notAnId: "must be an id of the platform",
  tooManySettings: "This installation has settings for 1,000 projects, which is the limit.",
  keyRequired: "must be a key while SERVICE_API_KEY isn't set",
  noApiUrl: "SERVICE_API_URL isn't set. Set it, then try again.",
  cloudAway: "The Cloud API at SERVICE_API_URL isn't responding. Try again shortly.",
  wrongKey: "isn't a key of the Cloud API at SERVICE_API_URL",
  sharedTeam: (id: string) =>
    `Runs of ${id} belong to the team of SERVICE_API_KEY. Add members to that team instead.`,
  adminRefused: (why: string) => `The Cloud API rejected the member: ${why}`,
  unknown: (id: string) => `There is no installation ${id} of this team.`,
};

/** The reasons why a request to the deployment platform failed, for the log. */
export const PLATFORM_ERRORS = {
  noInstallation: "The platform did not name the installation",
  otherInstallation: "The platform returned another installation",
  notResponding: (host: string) => `${host} is not responding`,
  status: (host: string, status: number) => `${host} returned status ${status}`,
  notJson: (host: string) => `${host} did not return JSON`,
  tooLarge: "The response is too large.",
  invalid: (fields: string) => `The platform's response has no valid ${fields}`,
};
