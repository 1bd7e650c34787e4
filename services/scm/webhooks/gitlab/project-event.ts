import { z } from "zod";
import { connectedEvents } from "../connected/connected-event.ts";
import { hostId, words } from "../events/event.ts";

/** The part of each event that names its project. */
export const projectEvent = z.object({
  project: z.object({ id: hostId, web_url: words(2000), default_branch: words(255).nullish() }),
});

/** Returns a handler of a connection's events. */
export const onProjectEvent = connectedEvents<z.infer<typeof projectEvent>>(({ project }) => ({
  id: project.id,
  page: project.web_url,
  defaultBranch: project.default_branch ?? undefined,
}));
