import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import { formatCounts } from "../../shared/report/describe-screenshot.ts";
import { percent } from "../../shared/text/format.ts";
import { lastResult } from "../output/last-result.ts";
import { MCP_TEXTS, REPORT_WORDS as WORDS } from "../texts/mcp.ts";
import { type McpContext, withService } from "./mcp-context.ts";
import { limited } from "./views.ts";

const MARKDOWN = "text/markdown";
/** Runs that a client lists. It can read any other by its id. */
const LISTED_RUNS = 20;
/** About 20 KB. */
const ROWS = 100;

/** Adds the reports as resources: of every run, and of the last check. */
export function addReports(server: McpServer, context: McpContext): void {
  server.registerResource(
    "run-report",
    new ResourceTemplate("vrs://runs/{runId}/report", { list: () => listReports(context) }),
    { title: MCP_TEXTS.reportTitle, description: MCP_TEXTS.reportDescription, mimeType: MARKDOWN },
    async (uri, { runId }) => page(uri, await runReport(context, String(runId))),
  );
  if (!context.isLocal) return;
  server.registerResource(
    "check-report",
    "vrs://check/report",
    { title: MCP_TEXTS.checkTitle, description: MCP_TEXTS.checkDescription, mimeType: MARKDOWN },
    async uri => page(uri, await checkReport(context)),
  );
}

const page = ({ href }: URL, text: string) => ({ contents: [{ uri: href, mimeType: MARKDOWN, text }] });

async function listReports(context: McpContext) {
  // Without a service, there is none to list. A tool says why.
  const runs = await withService(context, ({ client }) =>
    client.call("GET /v1/runs", { query: { limit: LISTED_RUNS } }),
  ).catch(() => ({ data: [] }));
  return {
    resources: runs.data.map(({ id, project, conclusion, status }) => ({
      uri: `vrs://runs/${id}/report`,
      name: MCP_TEXTS.runSubject(limited(project, 100), id),
      description: conclusion ?? status,
      mimeType: MARKDOWN,
    })),
  };
}

async function runReport(context: McpContext, id: string): Promise<string> {
  return await withService(context, async ({ client }) => {
    const [run, shots] = await Promise.all([
      client.call("GET /v1/runs/{id}", { params: { id } }),
      client.call("GET /v1/screenshots/{runId}", {
        params: { runId: id },
        query: { order: "need", limit: ROWS },
      }),
    ]);
    const { changed, new: added, removed, failed, minor } = run.counts;
    const rows = shots.data.filter(({ status, minor: isMinor }) => status !== "unchanged" || isMinor);
    return document({
      title: WORDS.title(run.project),
      facts: [
        [WORDS.conclusion, `${run.conclusion ?? run.status}: ${formatCounts(run.counts)}`],
        [WORDS.url, run.url],
        [WORDS.branch, run.branch ?? ""],
        [WORDS.report, run.links.report],
      ],
      rows: rows.map(shot => ({
        ...shot,
        review: shot.review?.state ?? "",
        note: shot.error ?? shot.notes[0] ?? "",
      })),
      all: changed + added + removed + failed + minor,
    });
  });
}

async function checkReport({ terminal }: McpContext): Promise<string> {
  const { screenshots, conclusion, counts, baseUrl, report } = await lastResult(terminal.cwd);
  const rows = screenshots.filter(({ status, minor }) => status !== "unchanged" || minor);
  return document({
    title: WORDS.checkTitle,
    facts: [
      [WORDS.conclusion, `${conclusion}: ${formatCounts(counts)}`],
      [WORDS.url, baseUrl],
      [WORDS.report, report ?? ""],
    ],
    rows: rows
      .slice(0, ROWS)
      .map(shot => ({ ...shot, review: "", note: shot.error?.message ?? shot.notes[0] ?? "" })),
    all: rows.length,
  });
}

interface Row {
  route: string;
  state: string | null;
  environment: string | null;
  viewport: number;
  status: string;
  diffRatio: number | null;
  review: string;
  note: string;
}

interface Document {
  title: string;
  facts: [name: string, value: string][];
  rows: Row[];
  /** Number of changes, also of those without a row. */
  all: number;
}

function document({ title, facts, rows, all }: Document): string {
  const cell = (text: string) => limited(text, 300).replaceAll("|", "\\|");
  const line = (cells: string[]) => `| ${cells.map(cell).join(" | ")} |`;
  const table = rows.map(row =>
    line([
      pageName(row),
      String(row.viewport),
      row.status,
      row.diffRatio === null ? "" : percent(row.diffRatio),
      row.review,
      row.note,
    ]),
  );
  return [
    `# ${limited(title, 200)}`,
    "",
    ...facts.filter(([, value]) => value !== "").map(([name, value]) => `- ${name}: ${limited(value, 500)}`),
    "",
    ...(rows.length === 0
      ? [WORDS.none]
      : [line(WORDS.columns), line(WORDS.columns.map(() => "---")), ...table]),
    ...(all > rows.length ? ["", WORDS.more(all - rows.length)] : []),
    "",
  ].join("\n");
}
