import type { ReportModel } from "../../report/report-model.ts";

/** A report in parts, so that no message on the bus grows with the run. */
export interface ReportPage extends Omit<ReportModel, "downloadUrl"> {
  nextCursor: string | null;
}
