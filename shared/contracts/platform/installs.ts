import { z } from "zod";
import { BOUNDS } from "../capture/bounds.ts";
import { routeSchema } from "../capture/capture-options.ts";
import { type ListQuery, list, time, unique } from "../fields.ts";
import { login, type ManagedTeam } from "../teams/people.ts";
import type { Action } from "../teams/team-actions.ts";

/** An id of the deployment platform. */
export const platformId = z.string().regex(/^[\x21-\x7e]{1,200}$/, "must be an id of the platform");

const apiKey = z
  .string()
  .max(200)
  .regex(/^[\x21-\x7e]+$/, "must be an API key");

/** Body of `PUT /v1/installs/:configurationId/projects/:projectId`. Omitted fields stay. */
export const projectSettingsBody = z.strictObject({
  routes: z
    .array(routeSchema)
    .min(1)
    .max(BOUNDS.routes)
    .transform(unique)
    .nullish()
    .describe("Paths that are captured of each preview; null for SERVICE_ROUTES"),
  routesFromConfig: z
    .boolean()
    .nullish()
    .describe(
      "Whether service.config.ts gives the routes where none are set; null for SERVICE_ROUTES_FROM_CONFIG",
    ),
  apiKey: apiKey
    .nullish()
    .describe(
      "API key that the project's runs are submitted with; null for the installation's. Never answered",
    ),
});
export type ProjectSettingsBody = z.infer<typeof projectSettingsBody>;

/** Body of `PUT /v1/admin/installs/:configurationId`. */
export const installTeamBody = z.strictObject({
  apiKey: apiKey
    .nullable()
    .describe(
      "An API key of the team that the installation's runs are for; null for the team of SERVICE_API_KEY",
    ),
});
export type InstallTeamBody = z.infer<typeof installTeamBody>;

/** Body of `POST /v1/admin/installs/:configurationId/admins`. */
export const installAdminBody = z.strictObject({
  login: login.describe("Login at the code host. Users who have not signed in yet are invited"),
});
export type InstallAdminBody = z.infer<typeof installAdminBody>;

const installedProject = z.object({
  id: z.string().describe("The platform's"),
  routes: z.array(z.string()).nullable(),
  routesFromConfig: z.boolean().nullable(),
  hasApiKey: z.boolean(),
});

/** An installation of the deployment platform's integration. */
export const install = z.object({
  configurationId: z.string().describe("The platform's"),
  ownerId: z.string().nullable().describe("The platform's team, or the person of an account without teams"),
  teamId: z.string().nullable().describe("The team that its runs are for; null where that isn't known yet"),
  allProjects: z.boolean(),
  installedAt: time,
  projects: z.array(installedProject).describe("Those with settings of their own"),
});
export type InstallView = z.infer<typeof install>;
export const installList = list(install);
export type InstallList = z.infer<typeof installList>;

export interface InstallActions {
  /** Lists the installations of the caller's team, or of every team for the operator. */
  "platform.installs": Action<ListQuery, InstallList>;
  "platform.changeProject": Action<
    { configurationId: string; projectId: string; settings: ProjectSettingsBody },
    InstallView
  >;
  /** For the operator. Also before the installation exists. */
  "platform.chooseTeam": Action<{ configurationId: string } & InstallTeamBody, null>;
  /** For the operator. */
  "platform.addAdmin": Action<{ configurationId: string } & InstallAdminBody, ManagedTeam>;
}
