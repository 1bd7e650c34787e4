import type {
  CreateMaintenanceInput,
  MaintenanceList,
  MaintenanceView,
} from "../../shared/contracts/monitors/maintenance.ts";
import { requestJson } from "./request.ts";

const PAGE_SIZE = "50";

/** Requests about maintenance windows. Every function throws ApiProblem. */
export const maintenanceApi = {
  list(cursor: string | null) {
    const query = new URLSearchParams({ limit: PAGE_SIZE, ...(cursor !== null && { cursor }) });
    return requestJson<MaintenanceList>(`v1/maintenance?${query}`);
  },
  create: (body: CreateMaintenanceInput) =>
    requestJson<MaintenanceView>("v1/maintenance", { method: "POST", body }),
  end: (id: string) => requestJson<null>(`v1/maintenance/${encodeURIComponent(id)}`, { method: "DELETE" }),
};
