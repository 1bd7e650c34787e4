import { randomBytes } from "node:crypto";
import { hashKey } from "../../../shared/api-keys.ts";
import type { FinishInstall, InstallRefusal } from "../../../shared/contracts/platform/platform.ts";
import { PlatformApiError } from "../api/platform-api.ts";
import type { PlatformContext } from "../platform-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { type Install, insertBegun, replaceInstall, takeBegun } from "./install.store.ts";
import { nextAddress } from "./next-address.rule.ts";
import { ensureTeam } from "./service-team.ts";

/** Begins an installation in a browser. @returns where it is to go at the platform */
export async function beginInstall(
  { em, platformApi }: PlatformContext,
  browserHash: string,
): Promise<{ url: string } | null> {
  if (!platformApi) return null;
  const state = randomBytes(32).toString("base64url");
  await insertBegun(em(), { stateHash: hashKey(state), browserHash });
  return { url: platformApi.authorizeUrl(state) };
}

/**
 * Writes down an installation that a browser comes back from. A state must be one that this browser began with, once.
 * There is none where the platform began by itself: then the code alone speaks, and only of its own account. Nothing
 * of that is bound to the browser, so that whoever makes another's browser come gains nothing by it.
 */
export async function finishInstall(
  context: PlatformContext,
  { code, state, browserHash, configurationId, next, login }: FinishInstall,
): Promise<{ url: string } | { refusal: InstallRefusal } | null> {
  const { em, platformApi, settings, baseUrl } = context;
  if (!platformApi || !settings.oauth) return null;
  if (state !== null) {
    const isOwn = browserHash !== null && (await takeBegun(em(), { stateHash: hashKey(state), browserHash }));
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
    url: nextAddress(next, [settings.oauth.authorizeUrl, baseUrl], `${baseUrl}/api/installed`),
  };
}
