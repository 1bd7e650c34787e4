import { z } from "zod";
import { connectedEvents } from "../connected/connected-event.ts";
import { hostId, words } from "../events/event.ts";

/** The part of each event that names its repository. */
export const giteaEvent = z.object({
  repository: z.object({ id: hostId, html_url: words(2000), default_branch: words(255).nullish() }),
});

/** Returns a handler of a connection's events. */
export const onGiteaEvent = connectedEvents<z.infer<typeof giteaEvent>>(({ repository }) => ({
  id: repository.id,
  page: repository.html_url,
  defaultBranch: repository.default_branch ?? undefined,
}));
