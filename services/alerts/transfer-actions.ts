import { readTeamRows, tableOf } from "../../mixins/database/team-rows.ts";
import type { WithDatabase } from "../../mixins/database.ts";
import { action } from "../../shared/contracts/bus.ts";
import { ALERT_TABLES, importRows, listLeftOut } from "./transfer-tables.ts";

/** What exports and imports of a team need of this service. */
export const transferActions = {
  exportRows: action("alerts.exportRows", function (this: WithDatabase, params) {
    return readTeamRows(this.em(), tableOf(ALERT_TABLES, params.table), params);
  }),
  importRows: action("alerts.importRows", function (this: WithDatabase, params) {
    return importRows(this.em(), params);
  }),
  leftOut: action("alerts.leftOut", function (this: WithDatabase, { teamId }) {
    return listLeftOut(this.em(), teamId);
  }),
};
