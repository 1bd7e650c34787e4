import { readFile } from "node:fs/promises";
import { z } from "zod";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { cropAroundChanges } from "../../shared/report/crop.ts";
import { drawChange } from "../../shared/report/draw-change.ts";
import { approve } from "../baselines/approve.ts";
import { configurationOfCheck } from "../baselines/approve-with-options.ts";
import type { CheckedScreenshot } from "../check/check-result.ts";
import { lastResult } from "../output/last-result.ts";
import { CommandError } from "../terminal.ts";
import { RESULT_FIELDS as FIELDS, MCP_ERRORS, MCP_NOTES, PARAMETER_TEXTS as TEXTS } from "../texts/mcp.ts";
import { nameOf } from "./change-tools.ts";
import { PictureBudget } from "./pictures.ts";
import { tool } from "./tool.ts";
import { limited, problemsOf, screenshotSchema } from "./views.ts";

const REGIONS = 10;
const NOTES = 5;
const APPROVED = 100;

const changeSchema = screenshotSchema.omit({
  ...{ screenshotId: true, review: true, baseline: true },
  ...{ causes: true, accessibility: true, intended: true },
});

/** Tools for the last `vrs check` of the folder. They need no service. */
export const CHECK_TOOLS = [
  tool(
    {
      name: "get_check",
      effect: "reads",
      input: z.object({
        limit: z.int().min(1).max(20).default(5).describe(TEXTS.limit),
        cursor: z.string().max(20).optional().describe(TEXTS.cursor),
        pictures: z.boolean().default(true).describe(TEXTS.pictures),
        minor: z.boolean().default(false).describe(TEXTS.minor),
      }),
      output: z.object({
        conclusion: z.string(),
        startedAt: z.string(),
        baseUrl: z.string(),
        counts: z.record(z.string(), z.number()),
        warnings: z.array(z.string()),
        report: z.string().nullable().describe(FIELDS.reportPath),
        changes: z.array(changeSchema),
        nextCursor: z.string().nullable(),
      }),
      async run({ terminal }, { limit, cursor, pictures, minor }) {
        const start = cursor === undefined ? 0 : Number(cursor);
        if (!Number.isSafeInteger(start) || start < 0) throw new CommandError("usage", MCP_ERRORS.badCursor);
        const { conclusion, startedAt, baseUrl, counts, warnings, report, screenshots } = await lastResult(
          terminal.cwd,
        );
        const changed = screenshots.filter(shot => shot.status !== "unchanged" || (minor && shot.minor));
        const budget = new PictureBudget();
        const changes = [];
        for (const shot of changed.slice(start, start + limit))
          changes.push(viewOf(shot, pictures ? await addPicture(shot, budget) : null));
        const end = start + limit;
        return {
          result: {
            ...{ conclusion, startedAt, baseUrl: limited(baseUrl, 500), counts, report, changes },
            warnings: warnings.slice(0, NOTES).map(text => limited(text, 300)),
            nextCursor: end < changed.length ? String(end) : null,
          },
          pictures: budget.pictures,
        };
      },
    },
    { isLocalOnly: true },
  ),
  tool(
    {
      name: "approve_check",
      effect: "destroys",
      input: z.object({
        routes: z.array(z.string().max(2000)).min(1).max(100).optional().describe(TEXTS.checkRoutes),
        fingerprint: z.string().min(4).max(64).optional().describe(TEXTS.fingerprint),
        all: z.boolean().default(false).describe(TEXTS.checkAll),
      }),
      output: z.object({
        approved: z
          .array(z.object({ route: z.string(), viewport: z.number(), did: z.string(), file: z.string() }))
          .describe(FIELDS.approvedBaselines),
        approvedCount: z.number(),
        failed: z.number().describe(FIELDS.notCaptured),
      }),
      async run({ terminal }, { routes, fingerprint, all }) {
        if ((routes !== undefined || fingerprint !== undefined) === all)
          throw new CommandError("no_selection", MCP_ERRORS.noSelection);
        const configuration = await configurationOfCheck(terminal, undefined);
        const { signal } = terminal;
        const filter = { routes: routes ?? [], group: fingerprint };
        const { approved, failed } = await approve({ ...configuration, filter, signal });
        return {
          result: {
            approved: approved
              .slice(0, APPROVED)
              .map(({ route, viewport, did, file }) => ({ route, viewport, did, file })),
            approvedCount: approved.length,
            failed: failed.length,
          },
        };
      },
    },
    { isLocalOnly: true },
  ),
];

function viewOf(shot: CheckedScreenshot, picture: string | null): z.input<typeof changeSchema> {
  const { status, diffRatio, diffPixels, faintPixels, minor, fingerprint } = shot;
  const { regions, stable, moving, notes, error } = shot;
  const short = (text: string) => limited(text, 300);
  return {
    ...pickPage({ ...shot, route: limited(shot.route, 500) }),
    ...{ status, diffRatio, diffPixels, faintPixels, minor, fingerprint, picture },
    regions: regions.slice(0, REGIONS),
    regionCount: regions.length,
    unstable: stable ? [] : moving.slice(0, NOTES).map(short),
    notes: notes.slice(0, NOTES).map(short),
    problems: problemsOf(shot.diagnostics),
    error: error && short(error.message),
  };
}

/** @returns why there is no picture, or null */
async function addPicture(shot: CheckedScreenshot, budget: PictureBudget): Promise<string | null> {
  const read = (path: string | null | undefined) => (path ? readFile(path).catch(() => null) : null);
  const { files, regions } = shot;
  const [current, baseline, diff, failure] = await Promise.all(
    [files.current, files.baseline, files.diff, files.failure].map(read),
  );
  const size = {
    width: Math.max(shot.width ?? 0, shot.baseline?.width ?? 0),
    height: Math.max(shot.height ?? 0, shot.baseline?.height ?? 0),
  };
  const crop = cropAroundChanges(regions, size);
  const image =
    current && baseline && diff && crop
      ? await drawChange({ baseline, current, diff }, crop)
      : (failure ?? current ?? baseline);
  return image ? await budget.add(nameOf(shot), image, 720) : MCP_NOTES.noPicture;
}
