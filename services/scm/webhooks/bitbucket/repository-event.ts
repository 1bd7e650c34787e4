import { z } from "zod";
import { connectedEvents } from "../connected/connected-event.ts";
import { words } from "../events/event.ts";

/** An id of Bitbucket: a UUID in braces. */
export const uuid = z.string().regex(/^\{[\w-]{1,60}\}$/);

/** The part of each event that names its repository. */
export const bitbucketEvent = z.object({
  repository: z.object({ uuid, links: z.object({ html: z.object({ href: words(2000) }) }) }),
});

/** Returns a handler of a connection's events. They don't name the repository's default branch. */
export const onBitbucketEvent = connectedEvents<z.infer<typeof bitbucketEvent>>(({ repository }) => ({
  id: repository.uuid,
  page: repository.links.html.href,
  defaultBranch: undefined,
}));

/** An account, which may be deleted. */
export const eventAccount = z
  .object({ type: words(100).nullish(), nickname: words(100).nullish(), display_name: words(100).nullish() })
  .nullish()
  .catch(null);
