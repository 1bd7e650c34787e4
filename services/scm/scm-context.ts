import type { EntityManager } from "../../mixins/database.ts";
import type { AddressPolicy } from "../../shared/capture/network/address-guard.ts";
import type { Config } from "../../shared/config.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { CloudApi } from "./cloud-api/cloud-api.ts";
import type { CodeHostApp, Purpose } from "./code-host/code-host-app.ts";
import { isMissing } from "./code-host/host-error.ts";
import type { RepositoryName } from "./code-host/repository-access.ts";
import { RepositoryHost } from "./code-host/repository-host.ts";
import type { PreviewCache } from "./pull-requests/preview-cache.ts";

/** What the use cases of this service work with. */
export interface ScmContext {
  /** A new unit of work. */
  em(): EntityManager;
  bus: Bus;
  app: CodeHostApp;
  /** The Cloud API as a team; null for the app's. */
  cloudOf(teamId: string | null): CloudApi;
  /** Where commits can be seen. */
  previews: PreviewCache;
  /** Where they will be, once their deployments succeed. */
  expected: PreviewCache;
  settings: Config["scm"];
  /** Which addresses may be rendered. */
  policy: AddressPolicy;
  /** Notes what went wrong and will be put right later. */
  warn(error: unknown, what: string): void;
}

/** The installation that a repository belongs to; null where the app is not installed. */
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

/** A repository as an installation of the app sees it. @throws HostError */
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
