import { z } from "zod";
import type { DeliveryAnswer } from "../../../../shared/contracts/platform/delivery.ts";
import type { Commit } from "../../checks/start-check.ts";
import type { HostError } from "../../code-host/host-error.ts";
import type { ScmContext } from "../../scm-context.ts";
import { EVENT_REASONS } from "../../texts.ts";

/** An answer, and what of the event is still to be done: the code host did not answer. */
export type Handled = DeliveryAnswer & { unfinished?: HostError };

/** Handles an event's payload, which anybody may have made up as far as its shape goes. */
export type EventHandler = (context: ScmContext, payload: unknown) => Promise<Handled>;

/** A handler of payloads of this shape; others are answered with what is wrong with them. */
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

/** A number that the code host gives things, as text. */
export const hostId = z
  .int()
  .positive()
  .transform(id => String(id));

export const sha = z
  .string()
  .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/i)
  .toLowerCase();

/** Of owners, repositories: what goes into the code host's own addresses. */
const slug = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,100}$/);

/** `owner/repo`. */
const repositoryPath = z.templateLiteral([slug, "/", slug]).transform(path => {
  const [owner = "", repo = ""] = path.split("/");
  return { owner, repo };
});

/** Repositories as events about installations list them. */
export const repositories = z
  .array(z.object({ id: hostId, full_name: repositoryPath }))
  .max(10_000)
  .transform(list => list.map(({ id, full_name }) => ({ id, ...full_name })));

/** Text of a payload that a database column can hold. */
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

/** The commit that an event is about. */
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
