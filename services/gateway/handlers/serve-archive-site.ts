import { pipeline } from "node:stream/promises";
import { LRUCache } from "lru-cache";
import { readIndex } from "../../../shared/archives/archive-index.ts";
import { contentTypeOf } from "../../../shared/content-type.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { endOfDay, linkState } from "../../../shared/links/link-rules.ts";
import type { SiteLink } from "../../../shared/links/links.ts";
import { teamsOfReader } from "../auth/teams-of-reader.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Input } from "../routes/route.ts";
import { ACCESS_ERRORS } from "../texts/errors.ts";
import { imageStoreError } from "./open-image.ts";

const DAY_MS = 86_400_000;
/** Hashes of files by their paths. Each takes about 200 bytes. */
type Files = ReadonlyMap<string, string>;

const MAX_INDEXED_FILES = 100_000;
/** How long a member who has signed in can use the page, whose scripts and images send no cookie. */
const TICKET_SECONDS = 3_600;

const indexes = new LRUCache<string, Files>({
  maxSize: MAX_INDEXED_FILES,
  sizeCalculation: files => Math.max(1, files.size),
});

/**
 * Answers with a file of a run's archive, for people who open a story. Its scripts are of the team's project, and not
 * the service's. So browsers give the page an origin of its own, without the service's cookies, and it can only load files
 * of the same archive, as when it was captured.
 * @throws ServiceError unauthorized; not_found; unavailable
 */
export async function serveArchiveSite(gateway: Gateway, input: Input): Promise<undefined> {
  const { params, req, res } = input;
  const { team = "", signature = "", path = "" } = params;
  const links = await gateway.links();
  const link = links.readSite(team, signature);
  if (!link) throw new ServiceError("unauthorized", ACCESS_ERRORS.foreignSiteLink);
  if ((await accessOf(gateway, input, team, link)) === "ticket") {
    const run = { id: link.runId, linkGeneration: link.generation };
    const until = Math.floor(Date.now() / 1_000) + TICKET_SECONDS;
    const query = (req.url ?? "").split("?").slice(1).join("?");
    const location = `${links.site(team, link.archive, run, until)}${encodeURI(path)}?${query}`;
    res.writeHead(302, { Location: location, "Cache-Control": "no-store" }).end();
    return;
  }
  const hash = (await filesOf(gateway, link.archive)).get(path);
  const file = hash === undefined ? null : await open(gateway, hash);
  if (!file) throw notFound("file", path);
  const base = links.site(
    team,
    link.archive,
    { id: link.runId, linkGeneration: link.generation },
    link.until,
    link.day * DAY_MS,
  );
  res.writeHead(200, {
    "Content-Type": contentTypeOf(path),
    "Content-Length": file.bytes,
    "Content-Security-Policy": policyOf(base),
    // The page's origin is opaque, so its own files are of another origin. The signed path protects them.
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "private, max-age=3600",
  });
  if (req.method === "HEAD" || res.destroyed) {
    file.stream.destroy();
    res.end();
    return;
  }
  // The reader may leave, and a broken connection shows that the file is incomplete.
  await pipeline(file.stream, res).catch(() => {});
}

/** Sources are the archive's own files. `sandbox` without `allow-same-origin` makes the origin opaque. */
function policyOf(base: string): string {
  return [
    "sandbox allow-scripts",
    `default-src ${base} data: blob: 'unsafe-inline' 'unsafe-eval'`,
    `base-uri ${base}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** @throws ServiceError unauthorized for an expired or revoked link, and for readers who must sign in */
async function accessOf(
  gateway: Gateway,
  { context, req }: Input,
  team: string,
  { runId, generation, day, until }: SiteLink,
): Promise<"open" | "ticket"> {
  const rules = await gateway.linkAccess.rulesOf(context, team, runId);
  const state =
    rules && rules.generation === generation ? linkState(endOfDay(day), Date.now(), rules) : "expired";
  if (state === "open") return "open";
  if (state === "private") {
    if (until * 1_000 > Date.now()) return "open";
    if ((await teamsOfReader(gateway, context, req)).includes(team)) return "ticket";
  }
  throw new ServiceError(
    "unauthorized",
    state === "private" ? ACCESS_ERRORS.privateLinks : ACCESS_ERRORS.deadSiteLink,
  );
}

async function filesOf(gateway: Gateway, archive: string): Promise<Files> {
  const known = indexes.get(archive);
  if (known) return known;
  try {
    const files = new Map(
      readIndex(await gateway.archiveFiles.get(archive)).map(({ path, hash }) => [path, hash]),
    );
    indexes.set(archive, files);
    return files;
  } catch (error) {
    throw imageStoreError(gateway, error);
  }
}

async function open(gateway: Gateway, hash: string) {
  try {
    return await gateway.archiveFiles.open(hash);
  } catch (error) {
    throw imageStoreError(gateway, error);
  }
}
