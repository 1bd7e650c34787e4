import { mkdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { isPageUrl } from "../../shared/contracts/fields.ts";
import { parseJson } from "../../shared/json.ts";
import { writeAtomically } from "../baselines/write-atomically.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { LOGIN_ERRORS, SERVICE_ERRORS } from "../texts/cloud.ts";

/** Address of the Cloud API, and an API key. */
export interface Access {
  /** Without a trailing slash. */
  url: string;
  apiKey: string;
  /** Returns a key that is valid now, if keys expire. */
  currentKey?: () => Promise<string>;
}

const loginSchema = z.object({ url: z.string(), apiKey: z.string() });

/**
 * Reads the access from the environment (`SERVICE_API_URL`, `SERVICE_API_KEY`), otherwise from `vrs login`. A
 * saved key is only sent to the address that it was saved for.
 * @throws CommandError `no_access` that says what to do
 */
export async function readAccess({ env }: Pick<Terminal, "env">): Promise<Access> {
  const saved = await readLogin(env);
  const url = env.SERVICE_API_URL ? readApiUrl(env.SERVICE_API_URL, "SERVICE_API_URL") : saved?.url;
  if (url === undefined) {
    throw new CommandError(
      "no_access",
      env.SERVICE_API_KEY ? SERVICE_ERRORS.noUrl : SERVICE_ERRORS.noService,
    );
  }
  if (env.SERVICE_API_KEY) return { url, apiKey: readApiKey(env.SERVICE_API_KEY, "SERVICE_API_KEY") };
  if (saved?.url === url) return { url, apiKey: saved.apiKey };
  throw new CommandError("no_access", SERVICE_ERRORS.noKey(url));
}

/** Reads what `vrs login` saved; null if nothing is readable. */
export async function readLogin(env: Terminal["env"]): Promise<Access | null> {
  const text = await readFile(loginFile(env), "utf8").catch(() => "null");
  const read = loginSchema.safeParse(parseJson(text));
  return read.success ? read.data : null;
}

/** Saves an access for the user only. @returns the file's path */
export async function saveLogin(env: Terminal["env"], access: Access): Promise<string> {
  const folder = configFolder(env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Readable only by its owner, from the first byte on.
  await writeAtomically(loginFile(env), `${JSON.stringify(access, null, 2)}\n`, {
    lasting: true,
    mode: 0o600,
  });
  return loginFile(env);
}

/** Deletes the saved access. @returns whether there was one */
export async function deleteLogin(env: Terminal["env"]): Promise<boolean> {
  const wasThere = (await readLogin(env)) !== null;
  await rm(loginFile(env), { force: true });
  return wasThere;
}

/** Parses the URL of a service. @throws CommandError for anything else */
export function readApiUrl(text: string, name: string): string {
  const url = text.trim().replace(/\/+$/, "");
  if (isPageUrl(url) && !/[?#]/.test(url)) return url;
  throw new CommandError("usage", LOGIN_ERRORS.notAUrl(name, text));
}

/** Parses an API key. @throws CommandError for anything else; the message never contains the input */
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
