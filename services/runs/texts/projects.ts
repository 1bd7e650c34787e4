import { count, figure } from "../../../shared/text/format.ts";

/** Texts of projects and their configurations for users. */

export const CONFIGURATION_ERRORS = {
  whole: "The repository's configuration",
  invalid: (first: string) =>
    `The repository's configuration at this commit has errors. ${first} Fix it, or set viewports, threshold, baselineBranch or options in the body.`,
  timeout: "The configuration was not read in time.",
};

export const SECRET_ERRORS = {
  longProject: (most: number) => `must have at most ${figure(most)} characters`,
  limit: (project: string, most: number) =>
    `${project} has ${count(most, "secret")}, which is the maximum. Delete one first.`,
  unknown: (name: string, project: string, path: string) =>
    `refers to the secret ${name}, which the project ${project} doesn't have. An admin can add it with PUT ${path}`,
  certificateFile: (session: string) =>
    `has a certPath or keyPath in the session ${session}, which only the command line reads. Use cert and key with references to secrets`,
  storageState: (session: string) =>
    `has a storageState in the session ${session}, which only the command line reads. Use steps or cookies`,
  /** Why a page was not captured. */
  gone: (names: readonly string[]) =>
    `This page needs ${count(names.length, "secret")} that the project doesn't have: ${names.join(", ")}. Add it, and submit the run again.`,
  fork: "This page needs secrets, for example to log in. Runs of pull requests from forks get no secrets, because the fork's author could read them.",
};

export const PROJECT_CONFIGURATION_ERRORS = {
  whole: "The run",
  changed: (read: number, now: { version: number; changedBy: string } | null) =>
    now
      ? `The configuration changed since you read version ${read}. ${now.changedBy} saved version ${now.version}. Read it again, and repeat your change.`
      : `This project has no configuration of version ${read}. Read it again, and repeat your change.`,
  merged: (project: string) => ` Part of the run comes from the configuration of the project ${project}.`,
};

/** Texts of entries in the activity log. */
export const ACTIVITY_TEXTS = {
  page: (name: string, viewport: number) => `${name} at ${viewport} px`,
  pages: (named: readonly string[], others: number) =>
    others > 0 ? `${named.join(", ")} and ${figure(others)} more` : named.join(", "),
};
