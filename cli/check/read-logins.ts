import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { HarFiles, RuleFiles } from "../../shared/capture/capture-types.ts";
import type { CaptureOptions } from "../../shared/contracts/capture/capture-options.ts";
import {
  type Session,
  type Sessions,
  type StorageState,
  storageStateSchema,
} from "../../shared/contracts/capture/sessions.ts";
import { secretNamesIn } from "../../shared/contracts/configuration/secret-references.ts";
import { parseJson } from "../../shared/json.ts";
import { fieldPath } from "../../shared/text/describe-invalid.ts";
import { readHars } from "../config/har-files.ts";
import { readRuleFiles } from "../config/rule-files.ts";
import { CommandError } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";

/** Environment variables with secrets begin with this. */
const SECRET_PREFIX = "SERVICE_SECRET_";
/** Enough for a thousand cookies of the maximum size. */
const MAX_STORAGE_STATE_MIB = 5;

/** A login of pages. */
interface Login {
  session: Session;
  storageState?: StorageState;
}

/** What pages need besides their options: logins, secrets, and the files of network rules. */
export interface Logins {
  /** Returns the login that the options name. Empty without a session. */
  of(options: CaptureOptions): Partial<Login>;
  /** Values of secrets by name. */
  secrets: Readonly<Record<string, string>>;
  /** Files that network rules name. */
  files: RuleFiles;
  /** HAR files that network rules name. */
  hars: HarFiles;
}

interface LoginSources {
  sessions?: Sessions | undefined;
  /** Folder that paths are relative to. */
  root: string;
  env: NodeJS.ProcessEnv;
  /** URL of the application whose responses are recorded into HAR files; null to replay them. */
  recordedSite?: string | null;
}

/**
 * Reads the storage states, secrets, and files of network rules that pages need. Secrets come from environment
 * variables.
 * @throws CommandError `missing_secret` that names the variables, `storage_state_invalid`, `certificate_invalid`,
 * `rule_file_invalid`
 */
export async function readLogins(
  pages: readonly { options: CaptureOptions }[],
  { sessions = {}, root, env, recordedSite = null }: LoginSources,
): Promise<Logins> {
  const logins = new Map<string, Login>();
  for (const { options } of pages) {
    const { session: name } = options;
    const session = name === undefined ? undefined : sessions[name];
    if (name === undefined || session === undefined || logins.has(name)) continue;
    const { storageState: file } = session;
    const storageState = file === undefined ? {} : { storageState: await readStorageState(name, file, root) };
    logins.set(name, { session: await withCertificates(name, session, root), ...storageState });
  }
  const rules = pages.flatMap(({ options }) => options.network ?? []);
  const used = [
    ...pages.map(({ options }) => options),
    ...[...logins.values()].map(({ session }) => session),
  ];
  return {
    of: ({ session }) => (session === undefined ? {} : (logins.get(session) ?? {})),
    secrets: readSecrets([...new Set(used.flatMap(secretNamesIn))], env),
    files: await readRuleFiles(rules, root),
    hars: await readHars(rules, { root, recordedSite }),
  };
}

/** Returns the session with the content of its certificate files. */
async function withCertificates(name: string, session: Session, root: string): Promise<Session> {
  const { clientCertificates } = session;
  if (clientCertificates === undefined) return session;
  const read = async (path: string) => {
    const refuse = (why: string, cause?: unknown) =>
      new CommandError("certificate_invalid", CHECK_ERRORS.certificate(name, path, why), cause);
    const text = await readFile(resolve(root, path), "utf8").catch((error: unknown) => {
      throw refuse(error instanceof Error ? error.message : String(error), error);
    });
    if (!text.includes("-----BEGIN ")) throw refuse(CHECK_ERRORS.notPem);
    return text;
  };
  const certificates = clientCertificates.map(async ({ certPath, keyPath, ...rest }) => ({
    ...rest,
    ...(certPath !== undefined && { cert: await read(certPath) }),
    ...(keyPath !== undefined && { key: await read(keyPath) }),
  }));
  return { ...session, clientCertificates: await Promise.all(certificates) };
}

function readSecrets(names: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  const variableOf = (name: string) => `${SECRET_PREFIX}${name}`;
  // A workflow passes a secret that doesn't exist as an empty text.
  const missing = names.filter(name => !env[variableOf(name)]);
  if (missing.length > 0)
    throw new CommandError("missing_secret", CHECK_ERRORS.noSecrets(missing, missing.map(variableOf)));
  return Object.fromEntries(names.map(name => [name, env[variableOf(name)] ?? ""]));
}

async function readStorageState(session: string, file: string, root: string): Promise<StorageState> {
  const reasons = CHECK_ERRORS.storageStateReasons;
  const refuse = (why: string, cause?: unknown) =>
    new CommandError("storage_state_invalid", CHECK_ERRORS.storageState(session, file, why), cause);
  const path = resolve(root, file);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw refuse(reasons.missing);
  if (found.size > MAX_STORAGE_STATE_MIB * 1024 * 1024) throw refuse(reasons.tooLarge(MAX_STORAGE_STATE_MIB));
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw refuse(`${error instanceof Error ? error.message : String(error)}.`, error);
  });
  const value = parseJson(text);
  if (value === null || typeof value !== "object") throw refuse(reasons.notJson);
  const read = storageStateSchema.safeParse(value);
  if (read.success) return read.data;
  throw refuse(reasons.invalid(fieldPath(read.error.issues[0]?.path ?? [])), read.error);
}
