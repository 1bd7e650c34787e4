import type { EntityManager } from "../../../mixins/database.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import type {
  ChangeNoticePreferences,
  NoticeKind,
  NoticePreferencesView,
} from "../../../shared/contracts/teams/notices.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { NOTICE_ERRORS } from "../texts.ts";
import { findPreferences, findUserOf, lockPreferences, putPreferences } from "./notice.store.ts";

/** Returns what the actor is notified of. @throws ServiceError conflict for a key without a user */
export async function readPreferences(em: EntityManager, actor: Actor): Promise<NoticePreferencesView> {
  const userId = await userOf(em, actor);
  const found = await findPreferences(em, userId);
  if (!found) throw notFound("user", userId);
  return found;
}

/** Changes what the actor is notified of. @throws ServiceError conflict for a key without a user */
export async function changePreferences(
  em: EntityManager,
  actor: Actor,
  change: ChangeNoticePreferences,
): Promise<NoticePreferencesView> {
  const userId = await userOf(em, actor);
  return em.transactional(async tx => {
    const before = await lockPreferences(tx, userId);
    if (!before) throw notFound("user", userId);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const after = { ...before, ...given };
    await putPreferences(tx, userId, after);
    return after;
  });
}

/** Turns notices of these kinds off. Repeating it changes nothing. */
export async function stopNotices(
  em: EntityManager,
  { userId, kinds }: { userId: string; kinds: NoticeKind[] },
): Promise<void> {
  await em.transactional(async tx => {
    const before = await lockPreferences(tx, userId);
    if (!before) return;
    const has = (...some: NoticeKind[]) => some.some(kind => kinds.includes(kind));
    await putPreferences(tx, userId, {
      reviews: has("review") ? "none" : before.reviews,
      mentions: before.mentions && !has("mention", "reply"),
      decisions: before.decisions && !has("decision"),
      monitors: before.monitors && !has("monitor"),
    });
  });
}

async function userOf(em: EntityManager, actor: Actor): Promise<string> {
  const userId = await findUserOf(em, actor);
  if (userId === null) throw new ServiceError("conflict", NOTICE_ERRORS.noUser);
  return userId;
}
