import type { ExportView, ImportView } from "../../shared/contracts/transfers/transfers.ts";
import { ApiProblem, requestJson } from "./request.ts";

const ofTeam = (teamId: string) => `v1/teams/${encodeURIComponent(teamId)}`;

/** Requests about exports and imports of a team. Every function throws ApiProblem. */
export const transferApi = {
  startExport: (teamId: string) => requestJson<ExportView>(`${ofTeam(teamId)}/export`, { method: "POST" }),
  /** Returns the latest export, or null. */
  export: (teamId: string) => orNull(requestJson<ExportView>(`${ofTeam(teamId)}/export`)),
  /** Returns the latest import, or null. */
  import: (teamId: string) => orNull(requestJson<ImportView>(`${ofTeam(teamId)}/import`)),
  importPath: (teamId: string, query: URLSearchParams) => `${ofTeam(teamId)}/import?${query}`,
};

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}
