import type { EntityManager } from "../../mixins/database.ts";
import type { AddressPolicy } from "../../shared/capture/network/address-guard.ts";
import type { Config } from "../../shared/config.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { CloudApi } from "./cloud-api/cloud-api.ts";
import type { CodeHost } from "./code-host/code-host.ts";
import type { PreviewCache } from "./pull-requests/preview-cache.ts";

/** The dependencies of this service's use cases. */
export interface ScmContext {
  /** Returns a new unit of work. */
  em(): EntityManager;
  bus: Bus;
  /** All code hosts. */
  host: CodeHost;
  /** Whether this service has a code-host app. Without one, it serves the connections of teams. */
  hasApp: boolean;
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
