import { z } from "zod";
import { ComparePool } from "../../shared/compare/compare-pool.ts";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { keyOf } from "../../shared/contracts/capture/screenshot-key.ts";
import { cropAroundChanges } from "../../shared/report/crop.ts";
import { drawChange } from "../../shared/report/draw-change.ts";
import { CommandError } from "../terminal.ts";
import { RESULT_FIELDS as FIELDS, MCP_ERRORS, PARAMETER_TEXTS as TEXTS } from "../texts/mcp.ts";
import { nameOf } from "./change-tools.ts";
import { type McpContext, type Service, withService } from "./mcp-context.ts";
import { download, PictureBudget } from "./pictures.ts";
import { runId } from "./run-tools.ts";
import { tool } from "./tool.ts";
import type { Screenshot } from "./views.ts";

/** Pages that are listed by name if only one run has them. */
const LISTED = 20;
const REGIONS = 10;

const differenceSchema = z.object({
  route: z.string(),
  state: z.string().nullable(),
  environment: z.string().nullable(),
  viewport: z.number(),
  diffRatio: z.number(),
  diffPixels: z.number(),
  faintPixels: z.number().describe(FIELDS.faintPixels),
  regions: z.array(z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
  picture: z.string().nullable().describe(FIELDS.noPicture),
});

type Difference = z.input<typeof differenceSchema>;

export const COMPARE_TOOLS = [
  tool({
    name: "compare_runs",
    effect: "reads",
    input: z.object({
      runId,
      otherRunId: z.string().min(1).max(64).describe(TEXTS.otherRunId),
      route: z.string().max(2000).optional().describe(TEXTS.route),
      viewport: z.int().optional().describe(TEXTS.viewport),
      limit: z.int().min(1).max(10).default(3).describe(TEXTS.limit),
      cursor: z.string().max(20).optional().describe(TEXTS.cursor),
      pictures: z.boolean().default(true).describe(TEXTS.pictures),
    }),
    output: z.object({
      pages: z.number().describe(FIELDS.pagesInBoth),
      identical: z.number().describe(FIELDS.identical),
      differences: z.array(differenceSchema).describe(FIELDS.differences),
      onlyInRun: z.array(z.string()),
      onlyInOtherRun: z.array(z.string()),
      nextCursor: z.string().nullable(),
    }),
    run: (context, input) => withService(context, service => compareRuns(context, service, input)),
  }),
];

interface Comparing {
  runId: string;
  otherRunId: string;
  route?: string | undefined;
  viewport?: number | undefined;
  limit: number;
  cursor?: string | undefined;
  pictures: boolean;
}

async function compareRuns(context: McpContext, service: Service, input: Comparing) {
  const start = input.cursor === undefined ? 0 : Number(input.cursor);
  if (!Number.isSafeInteger(start) || start < 0) throw new CommandError("usage", MCP_ERRORS.badCursor);
  const [current, other] = await Promise.all([
    imagesOf(service, input.runId, input),
    imagesOf(service, input.otherRunId, input),
  ]);
  const pairs = [...current].flatMap(([key, shot]) => {
    const before = other.get(key);
    return before ? [{ shot, before }] : [];
  });
  if (pairs.length === 0) throw new CommandError("not_found", MCP_ERRORS.nothingInCommon);
  const different = pairs.filter(({ shot, before }) => fileOf(shot) !== fileOf(before));
  const end = start + input.limit;
  const budget = new PictureBudget();
  const differences = await comparePairs(context, service, different.slice(start, end), {
    budget: input.pictures ? budget : null,
  });
  const only = (one: Map<string, Screenshot>, two: Map<string, Screenshot>) =>
    [...one].flatMap(([key, shot]) => (two.has(key) ? [] : [nameOf(shot)])).slice(0, LISTED);
  return {
    result: {
      pages: pairs.length,
      identical: pairs.length - different.length,
      differences,
      onlyInRun: only(current, other),
      onlyInOtherRun: only(other, current),
      nextCursor: end < different.length ? String(end) : null,
    },
    pictures: budget.pictures,
  };
}

/** Returns a run's screenshots that have an image, by page. */
async function imagesOf(
  { client }: Service,
  id: string,
  { route, viewport }: Comparing,
): Promise<Map<string, Screenshot>> {
  const found = new Map<string, Screenshot>();
  const all = client.list("GET /v1/screenshots/{runId}", { params: { runId: id }, query: { limit: 500 } });
  for await (const shot of all) {
    const matches =
      (route === undefined || shot.route === route) && (viewport === undefined || shot.viewport === viewport);
    if (matches && shot.images.current !== null) found.set(keyOf(pickPage(shot)), shot);
  }
  return found;
}

/** The name of an image's file is the hash of its content. */
function fileOf({ images }: Screenshot): string {
  return (
    URL.parse(images.current ?? "")
      ?.pathname.split("/")
      .at(-1) ?? ""
  );
}

async function comparePairs(
  { terminal: { signal } }: McpContext,
  { access }: Service,
  pairs: { shot: Screenshot; before: Screenshot }[],
  { budget }: { budget: PictureBudget | null },
): Promise<Difference[]> {
  if (pairs.length === 0) return [];
  const pool = new ComparePool({ threads: 1 });
  try {
    const differences: Difference[] = [];
    for (const { shot, before } of pairs) {
      const [baseline, current] = await Promise.all(
        [before, shot].map(each => download(each.images.current ?? "", access, signal)),
      );
      if (!baseline || !current) continue;
      const compared = await pool.compare(baseline, current, { signal });
      const { diffRatio, diffPixels, faintPixels, regions, mask, width, height } = compared;
      const crop = cropAroundChanges(regions, { width, height });
      const picture =
        budget && crop && mask
          ? await budget.add(nameOf(shot), await drawChange({ baseline, current, diff: mask }, crop))
          : null;
      const listed = regions.slice(0, REGIONS);
      differences.push({
        ...pickPage(shot),
        ...{ diffRatio, diffPixels, faintPixels },
        regions: listed,
        picture,
      });
    }
    return differences;
  } finally {
    await pool.close();
  }
}
