import { z } from "zod";
import { type ApiDialect, path, type TokenApi } from "../token-api.ts";
import type { ConnectedRepository } from "../token-host.ts";

/** The website of the only instance. */
export const BITBUCKET_URL = "https://bitbucket.org";
const API_URL = "https://api.bitbucket.org/2.0";

export const BITBUCKET: ApiDialect = {
  host: "Bitbucket",
  // Another address is that of a proxy, which has the API's paths.
  apiOf: url => (url === BITBUCKET_URL ? API_URL : `${url}/2.0`),
  authorize: token => ({ Authorization: `Bearer ${token}` }),
  // Lists of pull requests have no larger pages.
  pageSize: { name: "pagelen", max: 50 },
  linksPages: true,
  // Bitbucket limits the requests of an hour. This only spreads bursts.
  writesPerMinute: 60,
};

/** A repository, with the access of a connection. */
export interface BitbucketAccess {
  api: TokenApi;
  of: ConnectedRepository;
  /** The path of the repository in the API. It survives a new name, because it has the repository's id. */
  root: string;
  /** The URL of the repository's page. */
  page: string;
}

export function bitbucketAccess(api: TokenApi, url: string, of: ConnectedRepository): BitbucketAccess {
  const page = `${url}/${of.owner}/${of.repo}`;
  return { api, of, root: path`/repositories/${of.owner}/${of.hostId}`, page };
}

/** An account. Deleted ones are missing. */
export const account = z.object({
  uuid: z.string(),
  /** `user` for people. Access tokens are an `app_user`. */
  type: z.string().nullish(),
  nickname: z.string().nullish(),
  display_name: z.string().nullish(),
});
type Account = z.infer<typeof account>;

/** Returns the name that people know an account by, or null. */
export function loginOf(of: Pick<Account, "nickname" | "display_name"> | null | undefined): string | null {
  return of?.nickname || of?.display_name || null;
}

const end = z.object({
  branch: z.object({ name: z.string() }),
  /** The hash is the start of a SHA. Null if the commit is gone. */
  commit: z.object({ hash: z.string() }).nullish(),
  /** Null after a fork was deleted. */
  repository: z.object({ uuid: z.string() }).nullish(),
});

/** A pull request in the API. */
export const bitbucketPull = z.object({
  id: z.int32(),
  author: account.nullish(),
  updated_on: z.string(),
  source: end,
  destination: end,
});
export type BitbucketPull = z.infer<typeof bitbucketPull>;

/** Returns whether a pull request is of a fork. */
export function isOfFork({ source, destination }: Pick<BitbucketPull, "source" | "destination">): boolean {
  return source.repository?.uuid !== destination.repository?.uuid;
}
