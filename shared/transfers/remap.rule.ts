import { createHash } from "node:crypto";
import { ID_PREFIXES } from "../ids.ts";

/** Ids of all kinds, such as `run_01h455vb4pex5vsknk084sn02q`. */
const ID = new RegExp(
  `(?<![0-9a-z_])(${ID_PREFIXES.join("|")})_([0-7][0-9a-hjkmnp-tv-z]{25})(?![0-9a-z])`,
  "g",
);
const HASH = /^[0-9a-f]{64}$/;
/** The characters of ids, which are in the order of their values. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** Characters with the time. They stay, so that the order of ids stays. */
const TIME_CHARS = 10;
/** Digests of pixels that happen to look like the hash of an image. */
const NO_IMAGES = new Set(["fingerprint", "body_digest"]);
/** Parts of pages. A captured site can have ids of its own in them. */
const OF_PAGES = new Set(["route", "routes", "url", "selector", "down_routes"]);

/** What an import replaces in the rows of another installation. */
export interface Remap {
  /** The team that gets the rows. */
  teamId: string;
  /** The exported team. */
  fromTeamId: string;
  /** Where the exporting installation was, such as `https://vrs.example.com`. */
  fromUrl: string;
  /** Where this one is. */
  url: string;
  /** Returns whether the import has received an image or file. */
  has(hash: string): boolean;
}

/**
 * Returns a row with ids, links and hashes of this installation. Every id becomes another one that depends only on it
 * and the team. So the same row always gets the same id, references fit without a table of ids, and no row can name an
 * id of another team. Hashes that were not received become hashes of nothing, because they could name the image of
 * another team.
 */
export function remapRow(row: Record<string, unknown>, remap: Remap): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, remapValue(value, key, remap)]));
}

function remapValue(value: unknown, key: string, remap: Remap): unknown {
  if (typeof value === "string") return remapText(value, key, remap);
  if (Array.isArray(value)) return value.map(each => remapValue(each, key, remap));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, remapValue(each, name, remap)]),
    );
  return value;
}

function remapText(text: string, key: string, remap: Remap): string {
  if (HASH.test(text))
    return NO_IMAGES.has(key) || remap.has(text)
      ? text
      : hashOf("missing", remap.teamId, text).toString("hex");
  if (OF_PAGES.has(key)) return text;
  const moved = text.includes(remap.fromUrl) ? moveLinks(text, remap) : text;
  return remapIds(moved, remap);
}

/** Moves links with an id to this installation. Other URLs, such as of a captured site, stay. */
function moveLinks(text: string, remap: Remap): string {
  const { fromUrl, url } = remap;
  return text
    .split(/(?<=[\s"'<>()])|(?=[\s"'<>()])/)
    .map(word =>
      word.startsWith(`${fromUrl}/`) && remapIds(word, remap) !== word
        ? url + word.slice(fromUrl.length)
        : word,
    )
    .join("");
}

function remapIds(text: string, { teamId, fromTeamId }: Remap): string {
  if (!text.includes("_")) return text;
  return text.replaceAll(ID, (id, prefix: string, suffix: string) =>
    id === fromTeamId
      ? teamId
      : `${prefix}_${suffix.slice(0, TIME_CHARS)}${lettersOf(hashOf("id", teamId, id))}`,
  );
}

/** Returns the id that a row of an export gets in a team. */
export function remappedId(id: string, remap: Pick<Remap, "teamId" | "fromTeamId">): string {
  return remapIds(id, { ...remap, fromUrl: "", url: "", has: () => false });
}

function lettersOf(digest: Buffer): string {
  const chars = 26 - TIME_CHARS;
  return [...digest.subarray(0, chars)].map(byte => ALPHABET[byte & 31]).join("");
}

function hashOf(...parts: string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
