import { fileURLToPath } from "node:url";
import { z } from "zod";
import { parseNetwork } from "../capture/network/address-class.ts";
import { addressPolicy } from "../capture/network/address-guard.ts";
import { MAKE_KEY, readSecretKey } from "../secrets/secret-box.ts";
import { databaseServers } from "./database-servers.ts";

/** Kinds of environment variables, each with its rule. */

/** Entries separated by commas. Surrounding blanks and empty entries don't count. */
export const commaList = z.string().transform(value =>
  value
    .split(",")
    .map(entry => entry.trim())
    .filter(entry => entry !== ""),
);

export const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

/** An integer within bounds. */
export const number = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** Hosts that addressPolicy accepts. Validated here, because an invalid one is the operator's mistake. */
export const hosts = commaList.superRefine((entries, context) => {
  try {
    addressPolicy(entries);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    context.addIssue({ code: "custom", message: `has an invalid entry: ${why}` });
  }
});

/** Networks that addressPolicy accepts. */
export const networks = commaList.superRefine((entries, context) => {
  const bad = entries.find(entry => parseNetwork(entry) === null);
  if (bad === undefined) return;
  const message = `has an invalid entry: "${bad}" is not an address or a network such as 203.0.113.0/24 or 2001:db8::/32`;
  context.addIssue({ code: "custom", message });
});

/** Keys of stored secrets. The first one encrypts, all of them decrypt. Errors don't repeat the value. */
export const secretKeys = commaList.transform((entries, context) => {
  const keys = entries.flatMap(entry => readSecretKey(entry) ?? []);
  if (keys.length === entries.length) return keys;
  context.addIssue({
    code: "custom",
    message: `must be 32 random bytes in base64 or hex, or several such keys separated by commas. Create one with: ${MAKE_KEY}`,
  });
  return z.NEVER;
});

/** One server, or several of a cluster, separated by commas. */
export const natsServers = commaList.refine(
  urls => urls.length > 0 && urls.every(url => /^(nats|tls):$/.test(URL.parse(url)?.protocol ?? "")),
  "must be nats://host:port or tls://host:port, or several separated by commas",
);

/** A PostgreSQL server, or a primary and its standbys, separated by commas. */
export const databaseUrl = z
  .string()
  .refine(
    url => databaseServers(url) !== null,
    "must be a postgres:// URL. Separate several servers with commas: postgres://user@a:5432,b:5432/vrs. target_session_attrs can only be read-write or primary",
  );

/** The place of images. */
export const imageStore = z.string().transform((value, context): ImageStoreConfig => {
  const url = URL.parse(value);
  if (url?.protocol === "file:" && url.host === "" && url.search === "")
    return { kind: "file", folder: fileURLToPath(url) };
  if (url?.protocol === "s3:" && url.host !== "") {
    const { endpoint, region = "us-east-1", ...unknown } = Object.fromEntries(url.searchParams);
    const failure = Object.keys(unknown)[0];
    if (
      failure === undefined &&
      (endpoint === undefined || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? ""))
    ) {
      const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
      return { kind: "s3", bucket: url.hostname, prefix, endpoint: endpoint ?? null, region };
    }
  }
  context.addIssue({
    code: "custom",
    message: "must be file:///folder or s3://bucket/prefix?endpoint=https://…&region=…",
  });
  return z.NEVER;
});

/** A folder of files, or a bucket of S3 or a compatible store. `endpoint` is null for Amazon's own. */
export type ImageStoreConfig =
  | { kind: "file"; folder: string }
  | { kind: "s3"; bucket: string; prefix: string; endpoint: string | null; region: string };
