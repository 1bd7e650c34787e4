/** Returns the name under which a client sends a file to the store. Other builds can't name it. */
export function receivedName(runId: string, hash: string): string {
  return `${runId}/${hash}`;
}
