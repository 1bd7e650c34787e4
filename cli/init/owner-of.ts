/** Returns the owner of a repository from its remote URL; null if there is none. */
export function ownerOf(remote: string): string | null {
  return /^(?:\w+:\/\/[^/]+\/|[^/:]+@[^/:]+:)([\w.-]+)\/[\w.-]+?\/?$/.exec(remote.trim())?.[1] ?? null;
}
