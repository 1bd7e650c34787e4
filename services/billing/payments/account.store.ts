import { LockMode } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { PlanName } from "../../../shared/contracts/billing/usage.ts";
import { type Account, AccountEntity } from "./account.entity.ts";

/** Queries about teams at the payment provider. `em` is one unit of work. */

/**
 * Returns the plan that a team pays for, and for how many days its runs are kept beyond that. Returns null for teams
 * that never paid.
 */
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

/** Returns the account and locks it for the transaction. */
export function lockAccount(tx: EntityManager, teamId: string): Promise<Account | null> {
  return tx.findOne(AccountEntity, { teamId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Saves a team's subscription and the resulting plan. */
export async function saveAccount(tx: EntityManager, account: Account): Promise<void> {
  const { subscriptionId, status, subscribedPlan, renewsAt, cancelsAt, graceUntil } = account;
  const { appliedTicket, syncedAt, plan, keptDays, keptUntil } = account;
  const subscription = { subscriptionId, status, subscribedPlan, renewsAt, cancelsAt, graceUntil };
  const planFields = { plan, keptDays, keptUntil };
  await tx.nativeUpdate(
    AccountEntity,
    { teamId: account.teamId },
    { appliedTicket, syncedAt, ...subscription, ...planFields },
  );
}

/** Returns a team's account, and creates it if it is missing. */
export async function findOrOpenAccount(em: EntityManager, teamId: string): Promise<Account> {
  await em.execute("insert into billing.account (team_id) values (?) on conflict do nothing", [teamId]);
  return em.findOneOrFail(AccountEntity, { teamId });
}

/** Sets a team's customer, unless another caller did just before. */
export async function setCustomer(em: EntityManager, teamId: string, customerId: string): Promise<void> {
  await em.execute(
    `update billing.account set customer_id = ?, customers = customers + 1
     where team_id = ? and customer_id is null`,
    [customerId, teamId],
  );
}

/**
 * Removes a customer that the provider no longer has. The team's subscription is canceled, so its plan ends with the
 * next reconciliation. A reading of the customer that is in progress no longer counts.
 */
export async function deleteCustomer(em: EntityManager, teamId: string, customerId: string): Promise<void> {
  await em.execute(
    `update billing.account set customer_id = null, checkout_id = null,
       status = case when status = 'none' then status else 'canceled' end, last_ticket = last_ticket + 1, applied_ticket = last_ticket + 1
     where team_id = ? and customer_id = ?`,
    [teamId, customerId],
  );
}

/** Saves the open checkout. @returns false if another one was saved since `before` */
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

/** Moves on to new idempotency keys, because the provider would repeat its response to the current ones. */
export async function skipKeys(em: EntityManager, teamId: string): Promise<void> {
  await em.execute(
    `update billing.account set checkouts = checkouts + 1,
       customers = customers + case when customer_id is null then 1 else 0 end
     where team_id = ?`,
    [teamId],
  );
}

/**
 * Draws the number of a reading that starts now. Of two readings, the later one counts. Returns null without a
 * customer.
 */
export async function drawTicket(
  em: EntityManager,
  teamId: string,
): Promise<{ ticket: number; customerId: string } | null> {
  const rows: { ticket: number; customerId: string }[] = await em.execute(
    `update billing.account set last_ticket = last_ticket + 1 where team_id = ? and customer_id is not null
     returning last_ticket as ticket, customer_id as "customerId"`,
    [teamId],
  );
  return rows[0] ?? null;
}

export async function findTeamOfCustomer(em: EntityManager, customerId: string): Promise<string | null> {
  return (await em.findOne(AccountEntity, { customerId }))?.teamId ?? null;
}

/** Returns whether an event of the provider was applied before. */
export async function isApplied(em: EntityManager, eventId: string): Promise<boolean> {
  const rows: object[] = await em.execute("select from billing.payment_event where id = ?", [eventId]);
  return rows.length > 0;
}

/** Marks an event as applied. @returns false if it already was */
export async function markApplied(em: EntityManager, event: { id: string; type: string }): Promise<boolean> {
  const rows: object[] = await em.execute(
    "insert into billing.payment_event (id, type) values (?, ?) on conflict do nothing returning id",
    [event.id, event.type],
  );
  return rows.length === 1;
}

/** Deletes old events, which the provider does not send again. */
export async function deleteEvents(em: EntityManager, days: number): Promise<void> {
  await em.execute("delete from billing.payment_event where applied_at < now() - make_interval(days => ?)", [
    days,
  ]);
}

interface TeamRow {
  id: string;
}

/** Returns teams whose plan has ended. */
export async function findEnded(em: EntityManager, limit: number): Promise<string[]> {
  const rows: TeamRow[] = await em.execute(
    `select team_id as id from billing.account
     where plan <> 'free' and gone_at is null
       and (status not in ('active', 'trialing', 'past_due') or cancels_at <= now()
         or (status = 'past_due' and grace_until <= now()))
     limit ?`,
    [limit],
  );
  return rows.map(row => row.id);
}

/** Accounts that no node reads now. The longest unread come first, so that all get their turn. */
const IS_FREE = "(checked_at is null or checked_at < now() - interval '5 minutes')";
const IN_ORDER = "order by checked_at nulls first, synced_at nulls first limit ? for update skip locked";
const SET_CHECKED = `update billing.account a set checked_at = now() from mine where a.team_id = mine.team_id
  returning a.team_id as id`;

/**
 * Leases accounts with a possible change that no event reported: a reading that failed, a period that ended, or a
 * checkout that may be paid. A period is renewed up to an hour late. All others are read once a day. No other node gets
 * a leased account for five minutes.
 */
export async function leaseStaleAccounts(em: EntityManager, limit: number): Promise<string[]> {
  const rows: TeamRow[] = await em.execute(
    `with mine as materialized (
     select team_id from billing.account
     where customer_id is not null and gone_at is null and ${IS_FREE} and (
       synced_at is null or synced_at < now() - interval '1 day'
       or (last_ticket > applied_ticket and synced_at < now() - interval '1 minute')
       or (status in ('active', 'trialing') and renews_at < now() and synced_at < greatest(renews_at + interval '1 minute', now() - interval '1 hour'))
       or (checkout_at > now() - interval '1 day' and synced_at < now() - interval '10 minutes'))
     ${IN_ORDER}) ${SET_CHECKED}`,
    [limit],
  );
  return rows.map(row => row.id);
}

/** Marks a team's account for closing. */
export async function markGone(em: EntityManager, teamId: string): Promise<void> {
  await em.execute(
    "update billing.account set gone_at = now(), checked_at = null where team_id = ? and gone_at is null",
    [teamId],
  );
}

/** Leases accounts to close, with the same kind of lease. */
export async function leaseGoneAccounts(em: EntityManager, limit: number): Promise<Account[]> {
  const rows: TeamRow[] = await em.execute(
    `with mine as materialized (
       select team_id from billing.account where gone_at is not null and ${IS_FREE} ${IN_ORDER}
     ) ${SET_CHECKED}`,
    [limit],
  );
  return em.find(AccountEntity, { teamId: { $in: rows.map(row => row.id) } });
}

export async function deleteAccount(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from billing.change where team_id = ?", [teamId]);
  await em.nativeDelete(AccountEntity, { teamId });
}

/**
 * Gives each team that used the service an account with its current plan when a payment provider is set up for the
 * first time. Its change to another plan is then like any other.
 */
export async function createInitialAccounts(
  em: EntityManager,
  plan: PlanName,
  except: string,
): Promise<void> {
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
