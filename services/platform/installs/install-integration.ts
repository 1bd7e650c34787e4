import { randomBytes } from "node:crypto";
import { hashKey } from "../../../shared/api-keys.ts";
import type { FinishInstall, InstallRefusal } from "../../../shared/contracts/platform/platform.ts";
import { type Install, PlatformApiError } from "../api/platform-api.ts";
import type { PlatformContext } from "../platform-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { deletePendingInstall, insertPendingInstall, replaceInstall } from "./install.store.ts";
import { ensureTeam } from "./service-team.ts";

/** Starts an installation in a browser. @returns the platform's URL to open */
export async function beginInstall(
  { em, platformApi }: PlatformContext,
  browserHash: string,
): Promise<{ url: string } | null> {
  if (!platformApi) return null;
  const state = randomBytes(32).toString("base64url");
  await insertPendingInstall(em(), { stateHash: hashKey(state), browserHash });
  return { url: platformApi.authorizeUrl(state) };
}

/**
 * Saves an installation when its browser returns. A state must be from this browser and unused. Without a state, the
 * platform started the installation, and only the code counts. Nothing of it is bound to the browser, so an attacker
 * gains nothing by sending another browser here.
 */
export async function finishInstall(
  context: PlatformContext,
  { code, state, browserHash, configurationId, next, login }: FinishInstall,
): Promise<{ url: string } | { refusal: InstallRefusal } | null> {
  const { em, platformApi, settings, baseUrl } = context;
  if (!platformApi || !settings.oauth) return null;
  if (state !== null) {
    const isOwn =
      browserHash !== null && (await deletePendingInstall(em(), { stateHash: hashKey(state), browserHash }));
    if (!isOwn) return { refusal: "state" };
  }
  let install: Install;
  try {
    install = await platformApi.installOf(code, configurationId);
  } catch (error) {
    if (!(error instanceof PlatformApiError)) throw error;
    context.warn(null, LOG_MESSAGES.notInstalled(error.message));
    return { refusal: error.refused ? "code" : "unreachable" };
  }
  await replaceInstall(em(), install);
  await ensureTeam(context, install.configurationId, state === null ? null : login);
  return {
    url: nextUrl(next, [settings.oauth.authorizeUrl, baseUrl], `${baseUrl}/api/installed`),
  };
}

/**
 * Returns the URL to open after an installation. Anyone may have written the requested one, so it must be at the
 * platform or at this service.
 * @param allowed the URLs of the platform and of this service
 */
export function nextUrl(requested: string | null, allowed: string[], fallback: string): string {
  // Browsers drop tabs and line breaks, and read a backslash as a slash.
  if (requested === null || !/^https?:\/\/[^\\\p{Cc}]+$/iu.test(requested)) return fallback;
  const url = URL.parse(requested);
  if (url?.username !== "" || url.password !== "") return fallback;
  return allowed.some(address => new URL(address).origin === url.origin) ? url.href : fallback;
}
