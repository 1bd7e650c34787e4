import { ApiClient } from "../../shared/api/api-client.ts";
import { withPrompts } from "../prompt.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { LOGIN_ERRORS, LOGIN_TEXTS } from "../texts/cloud.ts";
import { type Access, readApiKey, readApiUrl, readLogin, saveLogin } from "./access.ts";
import { readInput } from "./read-input.ts";
import { withServiceErrors } from "./service-errors.ts";

/** The address of `npm start`. */
const LOCAL_SERVICE = "http://localhost:4400";

export interface LoginFlags {
  url?: string | undefined;
  withKeyFromStdin: boolean;
}

export interface LoginResult {
  url: string;
  /** The teams of the key, with the key's role in each. */
  teams: { name: string; role: string }[];
  file: string;
  warning: string | null;
}

/**
 * Reads a URL and a key, verifies them with the service, and saves them.
 * @throws CommandError if the service rejects them; then nothing is saved
 */
export async function logIn(terminal: Terminal, flags: LoginFlags): Promise<LoginResult> {
  const url = await urlOf(terminal, flags);
  const access: Access = { url, apiKey: await keyOf(terminal, flags, url) };
  const client = new ApiClient({ baseUrl: url, apiKey: access.apiKey, signal: terminal.signal });
  const { data } = await withServiceErrors(access, client.listTeams());
  const teams = data.map(({ name, role }) => ({ name, role }));
  const { protocol, hostname } = new URL(url);
  const isUnencrypted = protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  return {
    url,
    teams,
    file: await saveLogin(terminal.env, access),
    warning: isUnencrypted ? LOGIN_TEXTS.notHttps(url) : null,
  };
}

async function urlOf(terminal: Terminal, { url, withKeyFromStdin }: LoginFlags): Promise<string> {
  if (url !== undefined) return readApiUrl(url, "--url");
  const { SERVICE_API_URL } = terminal.env;
  const known = SERVICE_API_URL || (await readLogin(terminal.env))?.url;
  if (terminal.canPrompt && !withKeyFromStdin) {
    const usual = known ?? LOCAL_SERVICE;
    const answer = await withPrompts(terminal, ask => ask(LOGIN_TEXTS.askUrl(usual)));
    return readApiUrl(answer || usual, LOGIN_ERRORS.inputs.url);
  }
  if (known) return readApiUrl(known, "SERVICE_API_URL");
  throw new CommandError("usage", LOGIN_ERRORS.noUrl);
}

async function keyOf(terminal: Terminal, { withKeyFromStdin }: LoginFlags, url: string): Promise<string> {
  if (withKeyFromStdin) return readApiKey(await readInput(terminal), LOGIN_ERRORS.inputs.stdin);
  if (!terminal.canPrompt) {
    throw new CommandError("usage", LOGIN_ERRORS.cannotPrompt);
  }
  const question = LOGIN_TEXTS.askKey(url);
  return readApiKey(
    await withPrompts(terminal, ask => ask(question, { isSecret: true })),
    LOGIN_ERRORS.inputs.key,
  );
}
