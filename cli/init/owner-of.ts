/** The owner of a repository on the code host, of the address that git has for it; null when it tells none. */
export function ownerOf(remote: string): string | null {
  return /^(?:\w+:\/\/[^/]+\/|[^/:]+@[^/:]+:)([\w.-]+)\/[\w.-]+?\/?$/.exec(remote.trim())?.[1] ?? null;
}
