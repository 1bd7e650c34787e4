import { LockMode } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { PlanName } from "../../../shared/contracts/billing/usage.ts";
import { type Account, AccountEntity } from "./account.entity.ts";

/** The queries about teams at the payment provider; `em` is one unit of work. */

/** The plan that a team pays for, and for how many days its runs are kept on beyond that. Null for who never paid. */
export async function findPlan(
  em: EntityManager,
  teamId: string,
): Promise<{ plan: PlanName; keptDays: number | null } | null> {
  const rows: { plan: PlanName; keptDays: number | null }[] = await em.execute(
    `select plan, case when kept_until > now() then kept_days end as "keptDays"
     from billing.account where team_id = ?`,
    [teamId],
  );
  return rows[0] ?? null;
}

export function findAccount(em: EntityManager, teamId: string): Promise<Account | null> {
  return em.findOne(AccountEntity, { teamId });
}

/** The account, while nobody else changes it. */
export function lockAccount(tx: EntityManager, teamId: string): Promise<Account | null> {
  return tx.findOne(AccountEntity, { teamId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Writes down how a team stands and what plan that gives it. */
export async function saveAccount(tx: EntityManager, account: Account): Promise<void> {
  const { subscriptionId, status, subscribedPlan, renewsAt, cancelsAt, graceUntil } = account;
  const { answered, syncedAt, plan, keptDays, keptUntil } = account;
  const standing = { subscriptionId, status, subscribedPlan, renewsAt, cancelsAt, graceUntil };
  const inEffect = { plan, keptDays, keptUntil };
  await tx.nativeUpdate(
    AccountEntity,
    { teamId: account.teamId },
    { answered, syncedAt, ...standing, ...inEffect },
  );
}

/** A team's account, made where there is none. */
export async function findOrOpenAccount(em: EntityManager, teamId: string): Promise<Account> {
  await em.execute("insert into billing.account (team_id) values (?) on conflict do nothing", [teamId]);
  return em.findOneOrFail(AccountEntity, { teamId });
}

/** Gives a team its customer, unless somebody else has a moment ago. */
export async function setCustomer(em: EntityManager, teamId: string, customerId: string): Promise<void> {
  await em.execute(
    `update billing.account set customer_id = ?, customers = customers + 1
     where team_id = ? and customer_id is null`,
    [customerId, teamId],
  );
}

/**
 * Forgets a customer that the provider does not have any more, who pays for nothing then: the team's plan ends by the
 * clock. Whatever was being read of the customer at this moment counts no more.
 */
export async function deleteCustomer(em: EntityManager, teamId: string, customerId: string): Promise<void> {
  await em.execute(
    `update billing.account set customer_id = null, checkout_id = null,
       status = case when status = 'none' then status else 'canceled' end, asked = asked + 1, answered = asked + 1
     where team_id = ? and customer_id = ?`,
    [teamId, customerId],
  );
}

/** Notes a checkout as the one that is open. @returns false when somebody else has begun one since `before` */
export async function setCheckout(
  em: EntityManager,
  teamId: string,
  { before, checkoutId }: { before: number; checkoutId: string },
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update billing.account set checkout_id = ?, checkout_at = now(), checkouts = checkouts + 1
     where team_id = ? and checkouts = ? returning team_id`,
    [checkoutId, teamId, before],
  );
  return rows.length === 1;
}

/** Goes on to other idempotency keys: the provider would answer to those used so far as it did. */
export async function skipKeys(em: EntityManager, teamId: string): Promise<void> {
  await em.execute(
    `update billing.account set checkouts = checkouts + 1,
       customers = customers + case when customer_id is null then 1 else 0 end
     where team_id = ?`,
    [teamId],
  );
}

/** A number for a reading of the provider that begins now: of two readings the later one counts. Null without a customer. */
export async function takeTicket(
  em: EntityManager,
  teamId: string,
): Promise<{ ticket: number; customerId: string } | null> {
  const rows: { ticket: number; customerId: string }[] = await em.execute(
    `update billing.account set asked = asked + 1 where team_id = ? and customer_id is not null
     returning asked as ticket, customer_id as "customerId"`,
    [teamId],
  );
  return rows[0] ?? null;
}

export async function findTeamOfCustomer(em: EntityManager, customerId: string): Promise<string | null> {
  return (await em.findOne(AccountEntity, { customerId }))?.teamId ?? null;
}

/** Whether an event of the provider was applied before. */
export async function isApplied(em: EntityManager, eventId: string): Promise<boolean> {
  const rows: object[] = await em.execute("select from billing.payment_event where id = ?", [eventId]);
  return rows.length > 0;
}

/** Notes an event as applied. @returns false when it was */
export async function markApplied(em: EntityManager, event: { id: string; type: string }): Promise<boolean> {
  const rows: object[] = await em.execute(
    "insert into billing.payment_event (id, type) values (?, ?) on conflict do nothing returning id",
    [event.id, event.type],
  );
  return rows.length === 1;
}

/** Forgets events of so long ago; the provider does not send them again. */
export async function forgetEvents(em: EntityManager, days: number): Promise<void> {
  await em.execute("delete from billing.payment_event where applied_at < now() - make_interval(days => ?)", [
    days,
  ]);
}

interface Found {
  id: string;
}

/** Teams whose plan has come to its end by the clock. */
export async function findEnded(em: EntityManager, limit: number): Promise<string[]> {
  const rows: Found[] = await em.execute(
    `select team_id as id from billing.account
     where plan <> 'free' and gone_at is null
       and (status not in ('active', 'trialing', 'past_due') or cancels_at <= now()
         or (status = 'past_due' and grace_until <= now()))
     limit ?`,
    [limit],
  );
  return rows.map(row => row.id);
}

/** What the provider is to be asked about next: who was not looked at for longest first, so that nobody starves the rest. */
const NOT_LOOKED_AT = "(looked_at is null or looked_at < now() - interval '5 minutes')";
const THEIR_TURN = "order by looked_at nulls first, synced_at nulls first limit ? for update skip locked";
const LOOKED_AT = `update billing.account a set looked_at = now() from mine where a.team_id = mine.team_id
  returning a.team_id as id`;

/**
 * Takes teams of whom there may be something that no event has told: a reading that came to nothing, a period that is
 * over (the provider takes an hour to renew it), a checkout that may be paid, and every one once a day. What one node
 * has taken, no other gets for a while.
 */
export async function claimStale(em: EntityManager, limit: number): Promise<string[]> {
  const rows: Found[] = await em.execute(
    `with mine as materialized (
     select team_id from billing.account
     where customer_id is not null and gone_at is null and ${NOT_LOOKED_AT} and (
       synced_at is null or synced_at < now() - interval '1 day'
       or (asked > answered and synced_at < now() - interval '1 minute')
       or (status in ('active', 'trialing') and renews_at < now() and synced_at < greatest(renews_at + interval '1 minute', now() - interval '1 hour'))
       or (checkout_at > now() - interval '1 day' and synced_at < now() - interval '10 minutes'))
     ${THEIR_TURN}) ${LOOKED_AT}`,
    [limit],
  );
  return rows.map(row => row.id);
}

/** Marks a team's account for closing. */
export async function markGone(em: EntityManager, teamId: string): Promise<void> {
  await em.execute(
    "update billing.account set gone_at = now(), looked_at = null where team_id = ? and gone_at is null",
    [teamId],
  );
}

/** Takes accounts that are to be closed, in the same way. */
export async function claimGone(em: EntityManager, limit: number): Promise<Account[]> {
  const rows: Found[] = await em.execute(
    `with mine as materialized (
       select team_id from billing.account where gone_at is not null and ${NOT_LOOKED_AT} ${THEIR_TURN}
     ) ${LOOKED_AT}`,
    [limit],
  );
  return em.find(AccountEntity, { teamId: { $in: rows.map(row => row.id) } });
}

export async function removeAccount(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from billing.change where team_id = ?", [teamId]);
  await em.nativeDelete(AccountEntity, { teamId });
}

/**
 * The first time that a payment provider is set up, gives each team that has used the service an account with the plan
 * that it had until now, so that its change to another is one like any other.
 */
export async function adoptTeams(em: EntityManager, plan: PlanName, except: string): Promise<void> {
  await em.execute(
    `with first as (
       insert into billing.payments (since) values (now()) on conflict do nothing returning since
     )
     insert into billing.account (team_id, plan)
     select distinct u.team_id, ?::text from billing.usage u, first where u.team_id <> ?
     on conflict do nothing`,
    [plan, except],
  );
}
