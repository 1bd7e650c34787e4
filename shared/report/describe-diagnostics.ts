import type { Diagnostics } from "../contracts/capture/diagnostics.ts";
import { DIAGNOSTICS_TEXTS } from "./texts.ts";

/** One entry of a screenshot's diagnostics, in words. */
export interface DiagnosticsEntry {
  /** Such as `Console error`. */
  kind: string;
  text: string;
  /** What it returned, or where it happened; null if unknown. */
  detail: string | null;
  times: number;
  isNew: boolean;
}

const KINDS = ["pageErrors", "consoleErrors", "consoleWarnings", "moreMessages", "failedRequests"] as const;

/** Returns `3 console errors, 1 failed request (2 new)`. */
export function describeDiagnostics(diagnostics: Diagnostics): string {
  const { pageErrors, consoleMessages, failedRequests, dropped } = diagnostics;
  const errors = consoleMessages.filter(({ level }) => level === "error").length;
  const sizes = {
    pageErrors: pageErrors.length + dropped.pageErrors,
    consoleErrors: errors,
    consoleWarnings: consoleMessages.length - errors,
    moreMessages: dropped.consoleMessages,
    failedRequests: failedRequests.length + dropped.failedRequests,
  };
  const parts = KINDS.filter(kind => sizes[kind] > 0).map(kind => DIAGNOSTICS_TEXTS[kind](sizes[kind]));
  const news = countNew(diagnostics);
  return parts.join(", ") + (news > 0 ? DIAGNOSTICS_TEXTS.withNew(news) : "");
}

/** Returns how many entries the baseline's screenshot doesn't have. */
export function countNew(diagnostics: Diagnostics): number {
  return listDiagnostics(diagnostics).filter(({ isNew }) => isNew).length;
}

/** Returns the entries in words: errors of scripts first, then failed requests. */
export function listDiagnostics({
  pageErrors,
  consoleMessages,
  failedRequests,
}: Diagnostics): DiagnosticsEntry[] {
  const { names, line } = DIAGNOSTICS_TEXTS;
  return [
    ...pageErrors.map(({ message, source, times, isNew = false }) => {
      return { kind: names.pageError, text: message, detail: source, times, isNew };
    }),
    ...consoleMessages.map(({ level, text, url, line: number, times, isNew = false }) => {
      const detail = url === null || number === null ? url : line(url, number);
      return { kind: names[level], text, detail, times, isNew };
    }),
    ...failedRequests.map(({ method, url, type, status, error, times, isNew = false }) => {
      const detail = DIAGNOSTICS_TEXTS.outcome(type, status === null ? (error ?? "") : String(status));
      return { kind: names.failedRequest, text: `${method} ${url}`, detail, times, isNew };
    }),
  ];
}

/** Returns how many entries are not listed. */
export function countDropped({ dropped }: Diagnostics): number {
  return dropped.pageErrors + dropped.consoleMessages + dropped.failedRequests;
}
