import { z } from "zod";
import { type ApiDialect, path, type TokenApi } from "../token-api.ts";
import type { ConnectedRepository } from "../token-host.ts";

export const GITEA: ApiDialect = {
  host: "Gitea",
  apiOf: url => `${url}/api/v1`,
  authorize: token => ({ Authorization: `token ${token}` }),
  // An instance's own limit may be lower, but not by default.
  pageSize: { name: "limit", max: 50 },
  // Instances have no limit of their own, so this protects small ones.
  writesPerMinute: 120,
};

/** A repository of an instance, with the access of a connection. */
export interface GiteaAccess {
  api: TokenApi;
  of: ConnectedRepository;
  /** The path of the repository in the API. */
  root: string;
}

export function giteaAccess(api: TokenApi, of: ConnectedRepository): GiteaAccess {
  return { api, of, root: path`/repos/${of.owner}/${of.repo}` };
}

const branch = z.object({
  ref: z.string(),
  sha: z.string(),
  repo_id: z.int(),
  repo: z.object({ id: z.int() }).nullish(),
});

/** A pull request in the API. */
export const giteaPull = z.object({
  number: z.int32(),
  user: z.object({ login: z.string() }).nullish(),
  updated_at: z.string(),
  merge_base: z.string().nullish(),
  head: branch,
  base: branch,
});
export type GiteaPull = z.infer<typeof giteaPull>;

/** Returns whether a pull request is of a fork. The head's repository is missing after a fork was deleted. */
export function isOfFork({ head, base }: GiteaPull): boolean {
  return head.repo_id !== base.repo_id;
}
