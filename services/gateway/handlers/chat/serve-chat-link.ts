import { hashKey } from "../../../../shared/api-keys.ts";
import { call } from "../../../../shared/contracts/bus.ts";
import type { ChatPerson } from "../../../../shared/contracts/monitors/chat-apps.ts";
import type { Identity } from "../../../../shared/contracts/teams/caller.ts";
import { requireSameOrigin } from "../../auth/same-origin.ts";
import { sessionTokenOf } from "../../auth/session-cookie.ts";
import type { Gateway } from "../../gateway-context.ts";
import { answerHtml, escaped, htmlPage } from "../../http/html-page.ts";
import type { Input } from "../../routes/route.ts";
import { ALERT_PAGES, CHAT_PAGES } from "../../texts/pages.ts";

/** Pages that link a person of a chat tool to the signed-in user. GET requests change nothing. */

/** Shows who would review as whom, and asks for a confirmation. */
export async function showChatLinkPage(gateway: Gateway, input: Input): Promise<undefined> {
  const found = await read(gateway, input);
  if (!found) return;
  const { person, identity, team } = found;
  const what = CHAT_PAGES.ask(escaped(person.name), person.tool, escaped(identity.actor.name), escaped(team));
  const button = `<form method="post" action=""><button>${CHAT_PAGES.button}</button></form>`;
  return answer(input, CHAT_PAGES.title, `<p>${what}</p><p>${CHAT_PAGES.warning}</p>${button}`);
}

/** Links them. @throws ServiceError forbidden for requests of other sites */
export async function linkChatPerson(gateway: Gateway, input: Input): Promise<undefined> {
  requireSameOrigin(input.req, gateway.site);
  const found = await read(gateway, input);
  if (!found) return;
  const { person, identity } = found;
  await call(input.context, "alerts.linkChatPerson", {
    person,
    userId: identity.actor.id,
    provider: identity.session?.provider ?? null,
  });
  return answer(input, CHAT_PAGES.doneTitle, `<p>${CHAT_PAGES.done}</p>`);
}

interface Found {
  person: ChatPerson;
  identity: Identity;
  /** Name of the team. */
  team: string;
}

async function read(gateway: Gateway, input: Input): Promise<Found | undefined> {
  const { content = "", signature = "" } = input.params;
  const person = (await gateway.links()).readChatPerson(content, signature);
  if (!person || person.until < Date.now())
    return answer(input, ALERT_PAGES.deadLinkTitle, `<p>${CHAT_PAGES.deadLink}</p>`, 401);
  const token = sessionTokenOf(input.req);
  const identity = token === null ? null : await identify(input, hashKey(token));
  if (identity?.actor.kind !== "user")
    return answer(input, CHAT_PAGES.title, `<p>${CHAT_PAGES.signIn(gateway.site.baseUrl)}</p>`, 401);
  const team = identity.teams.find(({ id }) => id === person.teamId);
  if (!team) return answer(input, CHAT_PAGES.title, `<p>${CHAT_PAGES.noMember}</p>`, 403);
  return { person, identity, team: team.name };
}

function identify({ context }: Input, tokenHash: string): Promise<Identity | null> {
  return call(context, "teams.authenticateSession", { tokenHash }).catch(() => null);
}

function answer({ res }: Input, title: string, main: string, status = 200): undefined {
  res.setHeader("Cache-Control", "no-store");
  answerHtml(res, status, htmlPage(title, `<h1>${title}</h1>${main}`));
}
