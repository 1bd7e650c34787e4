import type { EntityManager } from "../../../mixins/database.ts";
import { sumArchiveBytes } from "../archives/archive.store.ts";
import { sumAttachmentBytes } from "./attachment.store.ts";

/** Returns the size of a team's archives and attachments together, in bytes. One limit is for both. */
export async function sumTeamFiles(em: EntityManager, teamId: string): Promise<number> {
  return (await sumArchiveBytes(em, teamId)) + (await sumAttachmentBytes(em, teamId));
}
