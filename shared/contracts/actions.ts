import type { FleetWork, RenderLoad } from "./fleet.ts";
import type {
  Approved,
  ListRunsQuery,
  ListScreenshotsQuery,
  Rejected,
  RunList,
  RunView,
  ScreenshotList,
  SubmitRun,
  SubmittedRun,
} from "./http.ts";
import type { ReportPage } from "./report-page.ts";
import type { Action, TeamActions } from "./team-actions.ts";

/** Every action that one service offers to the others. */
export interface Actions extends TeamActions {
  /** The id is its caller's to make, so that a message that comes twice is one run. */
  "runs.submit": Action<{ id: string; body: SubmitRun; idempotencyKey?: string }, SubmittedRun>;
  "runs.get": Action<{ id: string }, RunView>;
  "runs.list": Action<{ query: ListRunsQuery }, RunList>;
  "runs.cancel": Action<{ id: string }, RunView>;
  "runs.screenshots": Action<{ runId: string; query: ListScreenshotsQuery }, ScreenshotList>;
  /** A part of a report; with a token in place of a caller. */
  "runs.report": Action<{ id: string; token?: string; cursor?: string }, ReportPage>;
  "runs.approve": Action<{ runId: string; screenshots?: string[] }, Approved>;
  "runs.reject": Action<{ runId: string; screenshots?: string[]; reason: string }, Rejected>;
  /** The key that signs the links of reports and images; never leaves the nodes. */
  "runs.linkKey": Action<Record<string, never>, string>;
  /** For the operator: of all teams. */
  "runs.fleet": Action<Record<string, never>, FleetWork>;

  /** Of the node that is asked. */
  "renderer.load": Action<Record<string, never>, RenderLoad>;
}

export type ActionName = keyof Actions;
