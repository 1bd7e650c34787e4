import { action, call, callerOf } from "../../../shared/contracts/bus.ts";
import {
  addImportFiles,
  addImportParts,
  beginImport,
  getExport,
  getImport,
  listExportFiles,
  listExportParts,
  readExportHead,
  resumeImport,
  runImport,
  startExport,
} from "./manage-transfers.ts";
import type { TransfersContext } from "./transfers-context.ts";

interface WithTransfers {
  transfers: TransfersContext;
}

/** Actions of exports and imports. */
export const transferActions = {
  startExport: action("runs.startExport", function (this: WithTransfers, _params, context) {
    return startExport(this.transfers, callerOf(context));
  }),
  export: action("runs.export", function (this: WithTransfers, _params, context) {
    return getExport(this.transfers, callerOf(context));
  }),
  exportHead: action("runs.exportHead", async function (this: WithTransfers, _params, context) {
    const caller = callerOf(context);
    const { data } = await call(context, "teams.list", { limit: 100 });
    const name = data.find(({ id }) => id === caller.teamId)?.name ?? caller.teamId;
    return await readExportHead(this.transfers, caller, name);
  }),
  exportParts: action("runs.exportParts", function (this: WithTransfers, params, context) {
    return listExportParts(this.transfers, callerOf(context), params);
  }),
  exportFiles: action("runs.exportFiles", function (this: WithTransfers, params, context) {
    return listExportFiles(this.transfers, callerOf(context), params);
  }),
  beginImport: action("runs.beginImport", function (this: WithTransfers, params, context) {
    return beginImport(this.transfers, callerOf(context), params);
  }),
  resumeImport: action("runs.resumeImport", function (this: WithTransfers, params, context) {
    return resumeImport(this.transfers, callerOf(context), params);
  }),
  addImportParts: action("runs.addImportParts", function (this: WithTransfers, params, context) {
    return addImportParts(this.transfers, callerOf(context), params);
  }),
  addImportFiles: action("runs.addImportFiles", function (this: WithTransfers, params, context) {
    return addImportFiles(this.transfers, callerOf(context), params);
  }),
  runImport: action("runs.runImport", function (this: WithTransfers, params, context) {
    return runImport(this.transfers, callerOf(context), params);
  }),
  import: action("runs.import", function (this: WithTransfers, _params, context) {
    return getImport(this.transfers, callerOf(context));
  }),
};
