import { z } from "zod";

/** Limits of a screenshot's diagnostics. */
export const DIAGNOSTICS_BOUNDS = {
  /** Of each kind. */
  entries: 20,
  /** Of each text and URL. */
  chars: 500,
} as const;

const shared = {
  times: z.int().describe("How often it happened"),
  isNew: z
    .boolean()
    .optional()
    .describe("Whether the baseline's screenshot doesn't have it. Absent if that is unknown"),
};

const failedRequest = z.object({
  url: z.string(),
  method: z.string().describe("Such as `GET`"),
  type: z.string().describe("What the page requested, such as `script`"),
  status: z.int().nullable().describe("HTTP status. Null without a response"),
  error: z.string().nullable().describe("Why there is no response. Null with a response"),
  ...shared,
});

const consoleMessage = z.object({
  level: z.enum(["error", "warning"]),
  text: z.string(),
  url: z.string().nullable().describe("URL of the script"),
  line: z.int().nullable().describe("Line of the script, from 1"),
  ...shared,
});

const pageError = z.object({
  message: z.string(),
  source: z.string().nullable().describe("First line of the stack"),
  ...shared,
});

const dropped = z.int().describe("Number of further ones");

/** What went wrong in a page until its screenshot. */
export const diagnosticsSchema = z.object({
  failedRequests: z.array(failedRequest).describe("Requests that failed, or got a status of 400 or above"),
  consoleMessages: z.array(consoleMessage).describe("Errors and warnings in the console"),
  pageErrors: z.array(pageError).describe("Errors that no script caught"),
  dropped: z
    .object({ failedRequests: dropped, consoleMessages: dropped, pageErrors: dropped })
    .describe(`Each list has at most ${DIAGNOSTICS_BOUNDS.entries} different entries`),
});

export type FailedRequest = z.infer<typeof failedRequest>;
export type ConsoleEntry = z.infer<typeof consoleMessage>;
export type PageErrorEntry = z.infer<typeof pageError>;
export type Diagnostics = z.infer<typeof diagnosticsSchema>;

/** The diagnostics of a page in which nothing went wrong. */
export const NO_DIAGNOSTICS: Diagnostics = {
  failedRequests: [],
  consoleMessages: [],
  pageErrors: [],
  dropped: { failedRequests: 0, consoleMessages: 0, pageErrors: 0 },
};

/** Returns whether nothing went wrong. */
export function isQuiet({ failedRequests, consoleMessages, pageErrors }: Diagnostics): boolean {
  return failedRequests.length + consoleMessages.length + pageErrors.length === 0;
}
