import type { Capsule, CapsuleResponse } from "../capture/capsule/capsule.ts";
import { masked } from "../capture/diagnostics/mask-tokens.ts";
import type { FindReplacement, Replacement } from "../capture/network/rules/replace-responses.ts";
import { PROOF_BOUNDS } from "../contracts/runs/proof.ts";
import { fileKey, isChanged, responsesOf } from "../explain/loaded-files.ts";

/** A file that differs between a baseline and its screenshot. */
export interface ChangedFile {
  /** Identifies it among the responses of the page. */
  key: string;
  url: string;
  /** The baseline's response. Null if the baseline didn't have the file. */
  before: CapsuleResponse | null;
}

/** The changed files that can be replaced, and the number of those whose earlier content isn't kept. */
export interface ChangedFiles {
  files: ChangedFile[];
  unkept: number;
}

/**
 * Finds the files that changed.
 * @param suspects URLs of the most likely ones, which come first. They can be of another deployment
 */
export function findChangedFiles(
  before: Capsule,
  after: Capsule,
  suspects: readonly string[] = [],
): ChangedFiles {
  const [old, now] = [responsesOf(before), responsesOf(after)];
  const files = new Map<string, ChangedFile>();
  for (const [key, response] of now) {
    const earlier = old.get(key) ?? null;
    if (earlier === null || isChanged(earlier, response))
      files.set(key, { key, url: response.url, before: earlier });
  }
  for (const { type, url } of after.failed) {
    const key = `${type} ${fileKey(url, after.url)}`;
    const earlier = old.get(key);
    if (earlier !== undefined && !files.has(key)) files.set(key, { key, url, before: earlier });
  }
  const suspected = suspects.map(url => fileKey(url, url));
  const rank = ({ url }: ChangedFile) => {
    const at = suspected.indexOf(fileKey(url, url));
    return at === -1 ? suspected.length : at;
  };
  const [kept, unkept] = partition([...files.values()], file => file.before === null || isKept(file.before));
  const ranked = kept.toSorted((a, b) => rank(a) - rank(b)).slice(0, PROOF_BOUNDS.files);
  return { files: ranked, unkept: unkept.length };
}

function isKept({ body }: CapsuleResponse): boolean {
  return body !== undefined;
}

function partition<T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] {
  return [items.filter(is), items.filter(item => !is(item))];
}

/**
 * Returns what replaces the responses of a page, so that it gets the baseline's content of these files.
 * @param bodies kept bodies by their SHA-256
 */
export function replacementsOf(
  files: readonly ChangedFile[],
  after: Capsule,
  bodies: ReadonlyMap<string, Buffer>,
): FindReplacement {
  const byKey = new Map(files.map(file => [file.key, replacementOf(file, bodies)]));
  const byUrl = new Map(files.map(file => [file.url, replacementOf(file, bodies)]));
  const now = responsesOf(after);
  const counts = Map.groupBy(after.responses, ({ url, type }) => `${type} ${fileKey(url, after.url)}`);
  const known = new Set(after.responses.map(({ url }) => url));
  const replacesPage = byKey.has("document");
  return ({ url, type }) => {
    const shown = masked(url);
    const exact = byUrl.get(shown);
    if (exact !== undefined) return exact;
    const key = `${type} ${fileKey(shown, after.url)}`;
    // Responses that differ in their query have one key, and only one of them may have changed.
    if ((counts.get(key)?.length ?? 0) > 1) return null;
    const own = byKey.get(key);
    if (own !== undefined) return own;
    // The baseline's page requests the files of its own deployment.
    const current = now.get(key)?.url;
    if (!replacesPage || known.has(shown) || current === undefined || masked(current).includes("•••"))
      return null;
    return { kind: "url", url: current };
  };
}

function replacementOf({ before }: ChangedFile, bodies: ReadonlyMap<string, Buffer>): Replacement {
  const body = before?.body === undefined ? undefined : bodies.get(before.body);
  if (body === undefined) return { kind: "none" };
  return { kind: "body", body, contentType: before?.contentType ?? null };
}
