import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";
import type { SecretOwner } from "./secret.store.ts";

/** Project whose secrets and sessions all monitors of a team use. A monitor's own project changes with its URL. */
const SECRETS_OF_MONITORS = "monitors";

/** The maximum of a submission. */
export const PROJECT_CHARS = 200;

/** Returns the project whose secrets and configuration a project's runs use. */
export function secretOwnerOf({ teamId, project }: SecretOwner): SecretOwner {
  return { teamId, project: project.startsWith(MONITOR_PROJECTS) ? SECRETS_OF_MONITORS : project };
}
