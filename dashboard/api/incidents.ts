import type { IncidentList, IncidentView } from "../../shared/contracts/monitors/incidents.ts";
import type { IncidentFilter } from "../location-filters.ts";
import { requestJson } from "./request.ts";

const PAGE_SIZE = "30";

const of = (id: string) => `v1/incidents/${encodeURIComponent(id)}`;

/** Requests about incidents. Every function throws ApiProblem. */
export const incidentsApi = {
  list({ filter, monitor }: { filter: IncidentFilter; monitor?: string }, cursor: string | null) {
    const query = new URLSearchParams({ limit: PAGE_SIZE });
    if (filter !== "all") query.set("state", filter);
    if (monitor !== undefined) query.set("monitor", monitor);
    if (cursor !== null) query.set("cursor", cursor);
    return requestJson<IncidentList>(`v1/incidents?${query}`);
  },
  get: (id: string) => requestJson<IncidentView>(of(id)),
  acknowledge: (id: string) => requestJson<IncidentView>(`${of(id)}/acknowledge`, { method: "POST" }),
  assign: (id: string, login: string | null) =>
    requestJson<IncidentView>(`${of(id)}/assignee`, { method: "PUT", body: { login } }),
  comment: (id: string, text: string) =>
    requestJson<IncidentView>(`${of(id)}/comments`, { method: "POST", body: { text } }),
  resolve: (id: string, note: string) =>
    requestJson<IncidentView>(`${of(id)}/resolve`, { method: "POST", body: note === "" ? {} : { note } }),
};
