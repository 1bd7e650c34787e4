import { MONITOR_PROJECTS, PROJECT_OF_ALL_MONITORS } from "../../../shared/monitor-project.ts";
import type { SecretOwner } from "./secret.store.ts";

/** The maximum of a submission. */
export const PROJECT_CHARS = 200;

/** Returns the project whose secrets and configuration a project's runs use. A monitor's own project changes with its URL. */
export function secretOwnerOf({ teamId, project }: SecretOwner): SecretOwner {
  return { teamId, project: project.startsWith(MONITOR_PROJECTS) ? PROJECT_OF_ALL_MONITORS : project };
}
