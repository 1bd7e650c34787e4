import { z } from "zod";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import { THUMBNAIL_WIDTHS } from "../../shared/links/thumbnail-widths.ts";
import { CommandError } from "../terminal.ts";
import { RESULT_FIELDS as FIELDS, MCP_ERRORS, MCP_NOTES, PARAMETER_TEXTS as TEXTS } from "../texts/mcp.ts";
import { type McpContext, type Service, waitAtMost, withService } from "./mcp-context.ts";
import { download, PictureBudget } from "./pictures.ts";
import { cursor, MAX_WAIT_SECONDS, runId } from "./run-tools.ts";
import { tool } from "./tool.ts";
import {
  limited,
  runSchema,
  type Screenshot,
  screenshotSchema,
  viewOfRun,
  viewOfScreenshot,
} from "./views.ts";

const PICTURES = ["change", "current", "baseline", "diff", "failure"] as const;
type PictureKind = (typeof PICTURES)[number];
/** Wide enough to read text, and a few hundred tokens of a model. */
const WIDTH_PX = 640;

const standings = z.record(z.string(), z.number());

export const CHANGE_TOOLS = [
  tool({
    name: "get_changes",
    effect: "reads",
    input: z.object({
      runId,
      limit: z.int().min(1).max(20).default(5).describe(TEXTS.limit),
      cursor,
      pictures: z.boolean().default(true).describe(TEXTS.pictures),
      minor: z.boolean().default(false).describe(TEXTS.minor),
    }),
    output: z.object({
      run: runSchema,
      standings: standings.describe(FIELDS.standings),
      changes: z.array(screenshotSchema),
      nextCursor: z.string().nullable(),
    }),
    run: (context, input) => withService(context, service => readChanges(context, service, input)),
  }),
  tool({
    name: "get_picture",
    effect: "reads",
    input: z.object({
      runId,
      screenshotId: z.string().max(64).describe(TEXTS.screenshotId),
      picture: z.enum(PICTURES).default("current").describe(TEXTS.picture),
      width: z.literal(THUMBNAIL_WIDTHS).default(WIDTH_PX).describe(TEXTS.width),
    }),
    output: z.object({ screenshotId: z.string(), picture: z.enum(PICTURES), bytes: z.number() }),
    run: (context, { runId: id, screenshotId, picture, width }) =>
      withService(context, async service => {
        const shot = await findScreenshot(service, id, screenshotId);
        const image = await pictureOf(context, service, shot, picture);
        if (image === null) throw new CommandError("no_picture", MCP_ERRORS.noPicture(picture));
        const budget = new PictureBudget();
        if (await budget.add(nameOf(shot), image, width))
          throw new CommandError("too_large", MCP_ERRORS.pictureTooLarge);
        const [first] = budget.pictures;
        return {
          result: { screenshotId, picture, bytes: first?.bytes.length ?? 0 },
          pictures: budget.pictures,
        };
      }),
  }),
  tool({
    name: "capture_page",
    effect: "adds",
    input: z.object({
      url: z.string().max(2000).describe(TEXTS.url),
      route: z.string().max(2000).default("/").describe(TEXTS.route),
      viewport: z.int().optional().describe(TEXTS.viewport),
      environment: z.string().max(40).optional().describe(TEXTS.environment),
      project: z.string().min(1).max(200).optional().describe(TEXTS.projectOfPage),
      waitSeconds: z.int().min(0).max(MAX_WAIT_SECONDS).default(45).describe(TEXTS.waitSeconds),
    }),
    output: z.object({
      run: runSchema,
      screenshot: screenshotSchema.nullable(),
      note: z.string().nullable(),
    }),
    async run(context, { project, waitSeconds, ...body }) {
      const { id } = await withService(context, ({ client }) =>
        client.call("POST /v1/projects/{project}/trials", {
          params: { project: project ?? URL.parse(body.url)?.host ?? "" },
          body,
        }),
      );
      await waitAtMost(context, id, waitSeconds);
      return await withService(context, service => readCapture(context, service, id));
    },
  }),
];

interface Changes {
  runId: string;
  limit: number;
  cursor?: string | undefined;
  pictures: boolean;
  minor: boolean;
}

async function readChanges(context: McpContext, service: Service, input: Changes) {
  const { client } = service;
  const { limit, cursor: after, minor } = input;
  const [run, page] = await Promise.all([
    client.call("GET /v1/runs/{id}", { params: { id: input.runId } }),
    client.call("GET /v1/screenshots/{runId}", {
      params: { runId: input.runId },
      query: { order: "need", limit, cursor: after },
    }),
  ]);
  const isShown = (shot: Screenshot) => shot.status !== "unchanged" || (minor && shot.minor);
  const shots = page.data.filter(isShown);
  const budget = new PictureBudget();
  const changes = [];
  let before: string | null = null;
  for (const shot of shots) {
    const isSame = shot.fingerprint !== null && shot.fingerprint === before;
    before = shot.fingerprint;
    const omitted = !input.pictures
      ? null
      : isSame
        ? MCP_NOTES.samePicture
        : await addPicture(context, service, shot, budget);
    changes.push(viewOfScreenshot(shot, omitted));
  }
  // Unchanged screenshots come last.
  const hasMore =
    page.data.every(isShown) || (!minor && page.data.every(shot => shot.minor || isShown(shot)));
  const { standings = {} } = page.summary ?? {};
  return {
    result: {
      run: viewOfRun(run),
      standings: Object.fromEntries(Object.entries(standings).filter(([, figure]) => figure !== undefined)),
      changes,
      nextCursor: hasMore ? page.nextCursor : null,
    },
    pictures: budget.pictures,
  };
}

async function readCapture(context: McpContext, service: Service, id: string) {
  const { client } = service;
  const [run, page] = await Promise.all([
    client.call("GET /v1/runs/{id}", { params: { id } }),
    client.call("GET /v1/screenshots/{runId}", { params: { runId: id }, query: { limit: 1 } }),
  ]);
  const [shot] = page.data;
  const budget = new PictureBudget();
  const omitted = shot ? await addPicture(context, service, shot, budget) : null;
  const isRunning = shot?.status === "pending";
  return {
    result: {
      run: viewOfRun(run),
      screenshot: shot ? viewOfScreenshot(shot, omitted) : null,
      note: isRunning ? MCP_NOTES.stillRunning : null,
    },
    pictures: budget.pictures,
  };
}

/** Adds the picture that says most about a screenshot. @returns why it is missing, or null */
async function addPicture(
  context: McpContext,
  service: Service,
  shot: Screenshot,
  budget: PictureBudget,
): Promise<string | null> {
  const kind = (["change", "failure", "current", "baseline"] as const).find(each => shot.images[each]);
  try {
    const image = kind === undefined ? null : await pictureOf(context, service, shot, kind);
    return image === null ? MCP_NOTES.noPicture : await budget.add(nameOf(shot), image, 720);
  } catch (error) {
    // The facts are worth more than the picture.
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

async function pictureOf(
  { terminal: { signal } }: McpContext,
  { access }: Service,
  { images }: Screenshot,
  kind: PictureKind,
): Promise<Buffer | null> {
  const link = images[kind];
  return link ? await download(link, access, signal) : null;
}

async function findScreenshot({ client }: Service, id: string, screenshotId: string): Promise<Screenshot> {
  const all = client.list("GET /v1/screenshots/{runId}", { params: { runId: id }, query: { limit: 500 } });
  for await (const shot of all) if (shot.id === screenshotId) return shot;
  throw new CommandError("not_found", MCP_ERRORS.noScreenshot(screenshotId, id));
}

/** The line above a picture. */
export function nameOf(page: Omit<Parameters<typeof pageName>[0], never> & { viewport: number }): string {
  return `${limited(pageName(page), 200)} · ${page.viewport} px`;
}
