import { API_ERRORS } from "../texts/connections.ts";
import { HostError } from "./host-error.ts";

/** The forks' pull requests whose commits are searched. */
const MAX_FORKS = 40;
const FORKS_AT_ONCE = 5;

/** The part of a pull request that the search needs. */
interface SearchedPull {
  isOfFork: boolean;
  isAtCommit: boolean;
}

/**
 * Returns the open pull requests that contain a commit, at a code host without such a search. The repository's own
 * branches are only found by their heads.
 * @param hasCommit reads the commits of a pull request
 */
export async function pullsContaining<T>(
  open: T[],
  about: (pull: T) => SearchedPull,
  hasCommit: (pull: T) => Promise<boolean>,
): Promise<T[]> {
  const found = open.filter(pull => about(pull).isAtCommit);
  const forks = open.filter(pull => about(pull).isOfFork && !about(pull).isAtCommit);
  // Without this bound, many pull requests of forks would hide a commit of one of them.
  if (forks.length > MAX_FORKS) throw new HostError(503, API_ERRORS.manyForks);
  for (let at = 0; at < forks.length; at += FORKS_AT_ONCE) {
    const some = forks.slice(at, at + FORKS_AT_ONCE);
    const has = await Promise.all(some.map(hasCommit));
    found.push(...some.filter((_, index) => has[index]));
  }
  return found;
}
