import type { HostRequest } from "./code-host-app.ts";

/** Names a repository at the code host. */
export type RepositoryName = { owner: string; repo: string };

/** Asks about one repository as an installation of the app. */
export interface RepositoryAccess {
  request: HostRequest;
  name: RepositoryName;
}

/** A page of the code host's lists at its largest. */
export const PER_PAGE = 100;
