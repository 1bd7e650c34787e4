import { mkdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { isPageUrl } from "../../shared/contracts/fields.ts";
import { parseJson } from "../../shared/parse-json.ts";
import { writeWhole } from "../baselines/write-whole.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { LOGIN_ERRORS, SERVICE_ERRORS } from "../texts/cloud.ts";

/** Where the Cloud API is, and the key that opens it. */
export interface Access {
  /** Without a slash at its end. */
  url: string;
  apiKey: string;
}

const loginSchema = z.object({ url: z.string(), apiKey: z.string() });

/**
 * The access that the environment names (`SERVICE_API_URL`, `SERVICE_API_KEY`), else that of `vrs login`. A key that is
 * kept is sent to the address that it is kept for, and to no other.
 * @throws CommandError `no_access` that says what to do
 */
export async function readAccess({ env }: Pick<Terminal, "env">): Promise<Access> {
  const kept = await readLogin(env);
  const url = env.SERVICE_API_URL ? readApiUrl(env.SERVICE_API_URL, "SERVICE_API_URL") : kept?.url;
  if (url === undefined) {
    throw new CommandError(
      "no_access",
      env.SERVICE_API_KEY ? SERVICE_ERRORS.noUrl : SERVICE_ERRORS.noService,
    );
  }
  if (env.SERVICE_API_KEY) return { url, apiKey: readApiKey(env.SERVICE_API_KEY, "SERVICE_API_KEY") };
  if (kept?.url === url) return { url, apiKey: kept.apiKey };
  throw new CommandError("no_access", SERVICE_ERRORS.noKey(url));
}

/** What `vrs login` keeps; null where there is nothing, or nothing that can be read. */
export async function readLogin(env: Terminal["env"]): Promise<Access | null> {
  const text = await readFile(loginFile(env), "utf8").catch(() => "null");
  const read = loginSchema.safeParse(parseJson(text));
  return read.success ? read.data : null;
}

/** Saves an access for the user only. @returns the file's path */
export async function keepLogin(env: Terminal["env"], access: Access): Promise<string> {
  const folder = configFolder(env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Only its owner reads it, from its first byte on.
  await writeWhole(loginFile(env), `${JSON.stringify(access, null, 2)}\n`, { lasting: true, mode: 0o600 });
  return loginFile(env);
}

/** Deletes it. @returns whether there was one */
export async function forgetLogin(env: Terminal["env"]): Promise<boolean> {
  const wasThere = (await readLogin(env)) !== null;
  await rm(loginFile(env), { force: true });
  return wasThere;
}

/** @throws CommandError for anything but the URL of a service */
export function readApiUrl(text: string, name: string): string {
  const url = text.trim().replace(/\/+$/, "");
  if (isPageUrl(url) && !/[?#]/.test(url)) return url;
  throw new CommandError("usage", LOGIN_ERRORS.notAUrl(name, text));
}

/** @throws CommandError for anything but a key; its message never contains the input */
export function readApiKey(text: string, name: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new CommandError("usage", key === "" ? LOGIN_ERRORS.emptyKey(name) : LOGIN_ERRORS.notAKey(name));
}

function configFolder(env: Terminal["env"]): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "vrs");
}

function loginFile(env: Terminal["env"]): string {
  return join(configFolder(env), "login.json");
}
