import type { ApiDialect } from "../token-api.ts";

export const GITLAB: ApiDialect = {
  host: "GitLab",
  apiOf: url => `${url}/api/v4`,
  // The header of access tokens. Unlike a bearer token, no proxy in between takes it for its own.
  authorize: token => ({ "Private-Token": token }),
  pageSize: { name: "per_page", max: 100 },
  // GitLab.com allows 60 notes per minute. Self-managed instances have similar limits.
  writesPerMinute: 50,
};

/** A project of a GitLab instance, and the connection whose access is used. */
export interface GitLabProject {
  connectionId: string;
  /** The project's number. Unlike its path, it never changes. */
  hostId: string;
  /** The URL of the project's page. */
  page: string;
}
