import type { Approved, Dismissed, Rejected } from "../../shared/contracts/reviews/reviews.ts";
import type { ProofView } from "../../shared/contracts/runs/proof.ts";
import type { RunList, RunView } from "../../shared/contracts/runs/runs.ts";
import type { ScreenshotList } from "../../shared/contracts/runs/screenshots.ts";
import type { SubmitRunInput, SubmittedRun } from "../../shared/contracts/runs/submit-run.ts";
import type { RunFilters, WithMonitors } from "../location-filters.ts";
import { queryOf, requestJson } from "./request.ts";

/** A run and its team. Decisions may be sent after the tab has switched to another team. */
export interface RunOfTeam {
  id: string;
  team: string | null;
}

/** Requests about runs, their screenshots and reviews. Every function throws ApiProblem. */
export const runsApi = {
  runs: (filters: RunFilters, limit: number, cursor: string | null) =>
    requestJson<RunList>(
      `v1/runs${queryOf({ ...filters, monitors: monitorsIn(filters), limit: String(limit), cursor })}`,
    ),
  run: (id: string) => requestJson<RunView>(`v1/runs/${encodeURIComponent(id)}`),
  submitRun: (body: SubmitRunInput) => requestJson<SubmittedRun>("v1/run", { method: "POST", body }),
  rerun: (id: string, body: { only?: "failed" }) =>
    requestJson<SubmittedRun>(`v1/runs/${encodeURIComponent(id)}/rerun`, { method: "POST", body }),
  cancelRun: (id: string) =>
    requestJson<RunView>(`v1/runs/${encodeURIComponent(id)}/cancel`, { method: "POST" }),
  prove: (id: string) =>
    requestJson<ProofView>(`v1/screenshots/${encodeURIComponent(id)}/prove`, { method: "POST" }),
  revokeLinks: (id: string) =>
    requestJson<RunView>(`v1/runs/${encodeURIComponent(id)}/links/revoke`, { method: "POST" }),
  /** Returns the first screenshots in the order of a review, with the tally of all. */
  firstScreenshots: (runId: string, limit: number) =>
    requestJson<ScreenshotList>(
      `v1/screenshots/${encodeURIComponent(runId)}${queryOf({ order: "need", limit: String(limit) })}`,
    ),
  screenshots: (runId: string) => requestJson<ScreenshotList>(`v1/screenshots/${encodeURIComponent(runId)}`),
  approve: ({ id, team }: RunOfTeam, screenshots: readonly string[], note: string | null) =>
    requestJson<Approved>(`v1/baselines/${encodeURIComponent(id)}/approve`, {
      method: "POST",
      team,
      body: { screenshots, ...(note !== null && { note }) },
    }),
  reject: (
    { id, team }: RunOfTeam,
    why: { reason: string; noise: boolean },
    screenshots: readonly string[],
  ) =>
    requestJson<Rejected>(`v1/baselines/${encodeURIComponent(id)}/reject`, {
      method: "POST",
      team,
      body: { screenshots, ...why },
    }),
  /** Dismisses the caller's own decisions, and none of others. */
  dismissOwn: ({ id, team }: RunOfTeam, reason: string, screenshots: readonly string[]) =>
    requestJson<Dismissed>(`v1/baselines/${encodeURIComponent(id)}/dismiss`, {
      method: "POST",
      team,
      body: { screenshots, reason, own: true },
    }),
};

/** Returns whether a list has runs of monitors: only if the filter includes them, or names one of their projects. */
export const monitorsIn = ({ monitors, project }: WithMonitors & { project?: string }) =>
  monitors ?? (project === undefined ? "0" : undefined);
