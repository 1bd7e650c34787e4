import { z } from "zod";
import type { Commit } from "../../checks/start-check.ts";
import type { ScmContext } from "../../scm-context.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import type { Handled } from "../answer.ts";

export type { Handled };

/** Handles the payload of an event. Its shape is not trusted. */
export type EventHandler = (context: ScmContext, payload: unknown) => Promise<Handled>;

/** Returns a handler that rejects payloads of another shape. */
export function onEvent<T>(
  schema: z.ZodType<T>,
  handle: (context: ScmContext, payload: T) => Promise<Handled>,
): EventHandler {
  return async (context, payload) => {
    const parsed = schema.safeParse(payload);
    if (parsed.success) return handle(context, parsed.data);
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "payload";
    return {
      status: 400,
      body: { triggered: false, error: EVENT_REASONS.badPayload(where, issue?.message) },
    };
  };
}

/** An id of the code host, as text. */
export const hostId = z
  .int()
  .positive()
  .transform(id => String(id));

export const sha = z
  .string()
  .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/i)
  .toLowerCase();

/** The name of an owner or repository, as in the code host's URLs. */
const slug = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,100}$/);

/** `owner/repo`. */
const repositoryPath = z.templateLiteral([slug, "/", slug]).transform(path => {
  const [owner = "", repo = ""] = path.split("/");
  return { owner, repo };
});

/** The repositories in events about installations. */
export const repositories = z
  .array(z.object({ id: hostId, full_name: repositoryPath }))
  .max(10_000)
  .transform(list => list.map(({ id, full_name }) => ({ id, ...full_name })));

/** Text that a database column can hold. */
export const words = (max: number) =>
  z
    .string()
    .max(max)
    .refine(text => text.isWellFormed() && !text.includes("\0"), "must be text");

const repository = z.object({
  id: hostId,
  name: slug,
  owner: z.object({ login: slug }),
  html_url: words(2000),
  default_branch: words(255),
});

const installation = z.object({ id: hostId });

export const repositoryEvent = z.object({ repository, installation });

/** Returns the commit that an event is about. */
export function commitOf(event: z.infer<typeof repositoryEvent>, of: string): Commit {
  const { id, name, owner, html_url } = event.repository;
  return {
    installationId: event.installation.id,
    repoId: id,
    owner: owner.login,
    repo: name,
    page: html_url,
    sha: of,
  };
}
