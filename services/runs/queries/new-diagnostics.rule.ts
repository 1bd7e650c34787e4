import type { Diagnostics } from "../../../shared/contracts/capture/diagnostics.ts";

/**
 * Marks what the baseline's screenshot doesn't have. Hosts and queries don't count, because each deployment has its own.
 * Neither do places in scripts, which move with every build.
 * @param baseline null if unknown
 */
export function markNew(diagnostics: Diagnostics, baseline: Diagnostics | null): Diagnostics {
  if (baseline === null) return diagnostics;
  const known = new Set([
    ...baseline.failedRequests.map(requestKey),
    ...baseline.consoleMessages.map(messageKey),
    ...baseline.pageErrors.map(errorKey),
  ]);
  const isFull = Object.values(baseline.dropped).some(dropped => dropped > 0);
  // What the baseline dropped may be the same.
  const marked = <T extends object>(entry: T, key: string) =>
    !known.has(key) && isFull ? entry : { ...entry, isNew: !known.has(key) };
  return {
    ...diagnostics,
    failedRequests: diagnostics.failedRequests.map(entry => marked(entry, requestKey(entry))),
    consoleMessages: diagnostics.consoleMessages.map(entry => marked(entry, messageKey(entry))),
    pageErrors: diagnostics.pageErrors.map(entry => marked(entry, errorKey(entry))),
  };
}

function requestKey({ method, url, status, error }: Diagnostics["failedRequests"][number]): string {
  return `request ${method} ${withoutHosts(url)} ${status ?? error}`;
}

function messageKey({ level, text }: Diagnostics["consoleMessages"][number]): string {
  return `console ${level} ${withoutHosts(text)}`;
}

function errorKey({ message }: Diagnostics["pageErrors"][number]): string {
  return `uncaught ${withoutHosts(message)}`;
}

function withoutHosts(text: string): string {
  return text.replace(/\b(?:https?|wss?):\/\/[^\s/'"]+/g, "").replace(/\?[^\s'"]*/g, "");
}
