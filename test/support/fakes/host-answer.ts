import type { HostedRepository } from "./hosted-repository.ts";

/** The app's number at the code host. */
export const APP_ID = 4711;

/** What the host does not do, as it says so. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A request; of a repository's, what comes after its name. */
export interface HostAsked {
  method: string;
  parts: string[];
  query: Record<string, string>;
  body: unknown;
}

/** Answers requests about a repository, by method and the first part of the path. */
export type HostAnswers = Record<
  string,
  (
    repository: HostedRepository,
    asked: HostAsked,
    host: { url: string; mayWriteWorkflows: boolean },
  ) => unknown
>;
