import { once } from "node:events";
import { call } from "../../../shared/contracts/bus.ts";
import type { ActivityList, ExportActivityQuery } from "../../../shared/contracts/teams/people.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Input } from "../routes/route.ts";

type Entry = ActivityList["data"][number];

/** Entries per request to the teams service, and in memory. */
const BATCH_SIZE = 1_000;
const TYPES = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" } as const;
const COLUMNS = ["id", "at", "type", "actorKind", "actorId", "actorName", "target", "details"];

/** Streams a team's activity as CSV or JSON lines, newest first, in batches and no faster than it is read. */
export async function exportActivity(
  _gateway: Gateway,
  {
    query: { format, ...filter },
    params: { id = "" },
    context,
    req,
    res,
  }: Input<unknown, ExportActivityQuery>,
): Promise<undefined> {
  const page = (cursor?: string) =>
    call(context, "teams.activity", {
      ...filter,
      limit: BATCH_SIZE,
      ...(cursor !== undefined && { cursor }),
    });
  // Before the headers, so that a failure of the first batch is answered as an error.
  let { data, nextCursor } = await page();
  res.writeHead(200, {
    "Content-Type": TYPES[format],
    "Content-Disposition": `attachment; filename="activity-${id}.${format}"`,
    "Cache-Control": "no-store",
  });
  if (req.method === "HEAD") return void res.end();
  const closed = new AbortController();
  res.once("close", () => closed.abort());
  try {
    if (format === "csv") res.write(`${COLUMNS.join(",")}\r\n`);
    for (;;) {
      const lines = data.map(format === "csv" ? csvLine : jsonLine).join("");
      if (!res.write(lines)) await once(res, "drain", { signal: closed.signal });
      if (nextCursor === null || closed.signal.aborted) break;
      ({ data, nextCursor } = await page(nextCursor));
    }
    res.end();
  } catch {
    // A cut connection is the only way to say that the file is incomplete.
    res.destroy();
  }
}

function jsonLine(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

function csvLine({ id, at, type, actor, target, details }: Entry): string {
  const values = [id, at, type, actor.kind, actor.id, actor.name, target ?? "", JSON.stringify(details)];
  return `${values.map(csvValue).join(",")}\r\n`;
}

/**
 * Returns a quoted value as in RFC 4180. Spreadsheets run values with these beginnings as formulas, and names are
 * chosen by users, so they get an apostrophe.
 */
function csvValue(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
