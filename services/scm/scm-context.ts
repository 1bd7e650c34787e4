import type { EntityManager } from "../../mixins/database.ts";
import type { AddressPolicy } from "../../shared/capture/network/address-guard.ts";
import type { Config } from "../../shared/config.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { CloudApi } from "./cloud-api/cloud-api.ts";
import type { CodeHostApp, Purpose, RepositoryName } from "./code-host/code-host-app.ts";
import { isMissing } from "./code-host/host-error.ts";
import { RepositoryHost } from "./code-host/repository-host.ts";
import type { PreviewCache } from "./pull-requests/preview-cache.ts";

/** The dependencies of this service's use cases. */
export interface ScmContext {
  /** Returns a new unit of work. */
  em(): EntityManager;
  bus: Bus;
  app: CodeHostApp;
  /** Returns the Cloud API as a team. A null team is the app's. */
  cloudOf(teamId: string | null): CloudApi;
  /** The preview URLs of commits. */
  previews: PreviewCache;
  /** The preview URLs of unfinished deployments. */
  expected: PreviewCache;
  settings: Config["scm"];
  /** The addresses that may be rendered. */
  policy: AddressPolicy;
  /** Logs an error that a later attempt will fix. */
  warn(error: unknown, what: string): void;
}

/** Returns the installation of a repository, or null if the app is not installed there. */
export async function installationOf(
  { app }: Pick<ScmContext, "app">,
  name: RepositoryName,
): Promise<string | null> {
  try {
    const { data } = await app.request("GET /repos/{owner}/{repo}/installation", name);
    return String(data.id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Returns a repository as an installation of the app sees it. @throws HostError */
export async function repositoryOf(
  { app }: Pick<ScmContext, "app">,
  { installationId, owner, repo }: { installationId: string } & RepositoryName,
  purpose: Purpose = "checks",
): Promise<RepositoryHost> {
  return new RepositoryHost({
    request: await app.installation(installationId, purpose),
    name: { owner, repo },
  });
}
