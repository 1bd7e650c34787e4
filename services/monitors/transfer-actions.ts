import { readTeamRows, tableOf } from "../../mixins/database/team-rows.ts";
import type { WithDatabase } from "../../mixins/database.ts";
import { action, call } from "../../shared/contracts/bus.ts";
import { importRows, listLeftOut, MONITOR_TABLES } from "./transfer-tables.ts";

/** What exports and imports of a team need of this service. */
export const transferActions = {
  exportRows: action("monitors.exportRows", function (this: WithDatabase, params) {
    return readTeamRows(this.em(), tableOf(MONITOR_TABLES, params.table), params);
  }),
  importRows: action("monitors.importRows", async function (this: WithDatabase, params, context) {
    const plan = await call(context, "billing.plan", { teamId: params.teamId });
    return await importRows(this.em(), params, plan);
  }),
  leftOut: action("monitors.leftOut", function (this: WithDatabase, { teamId }) {
    return listLeftOut(this.em(), teamId);
  }),
};
