import type { RepositoryName } from "../code-host/code-host.ts";

/** Returns whether two names are of the same repository. Names of code hosts ignore case. */
export function isSameRepository(one: RepositoryName, other: RepositoryName): boolean {
  return (
    one.owner.toLowerCase() === other.owner.toLowerCase() &&
    one.repo.toLowerCase() === other.repo.toLowerCase()
  );
}
