import type { HostedRepository } from "./hosted-repository.ts";

/** The app's number at the code host. */
export const APP_ID = 4711;

/** An error response of the host. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A request about a repository, with the path after the repository's name. */
export interface RepositoryRequest {
  method: string;
  parts: string[];
  query: Record<string, string>;
  body: unknown;
}

/** Handlers of requests about a repository, by method and the first part of the path. */
export type HostAnswers = Record<
  string,
  (
    repository: HostedRepository,
    request: RepositoryRequest,
    host: { url: string; mayWriteWorkflows: boolean },
  ) => unknown
>;
