import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import type {
  StatusPageBody,
  StatusPageList,
  StatusPageView,
} from "../../shared/contracts/monitors/status-pages.ts";
import { requestJson } from "./request.ts";

const of = (id: string) => `v1/status-pages/${encodeURIComponent(id)}`;
const badgeOf = (monitorId: string) => `v1/monitors/${encodeURIComponent(monitorId)}/badge`;

/** Requests about status pages and badges. Every function throws ApiProblem. */
export const statusPagesApi = {
  list: () => requestJson<StatusPageList>("v1/status-pages"),
  create: (body: StatusPageBody) => requestJson<StatusPageView>("v1/status-pages", { method: "POST", body }),
  change: (id: string, body: StatusPageBody) => requestJson<StatusPageView>(of(id), { method: "PUT", body }),
  remove: (id: string) => requestJson<null>(of(id), { method: "DELETE" }),
  createBadge: (monitorId: string) => requestJson<MonitorView>(badgeOf(monitorId), { method: "POST" }),
  deleteBadge: (monitorId: string) => requestJson<null>(badgeOf(monitorId), { method: "DELETE" }),
};
