import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { sealedJson } from "../../../mixins/database.ts";
import type { AlertChannels } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { MonitorOptions } from "../../../shared/contracts/runs/capture-options.ts";

/** What keeps a monitor from its schedule: the plan has none, or holds fewer monitors than there are older ones. */
const HOLDS = ["plan", "over"] as const;

/** A site that is checked every so many minutes. */
export const MonitorEntity = defineEntity({
  name: "Monitor",
  tableName: "monitor",
  properties: {
    id: p.string().primary(),
    teamId: p.string(),
    name: p.string(),
    url: p.string(),
    routes: p.json<string[]>(),
    viewports: p.json<number[]>(),
    intervalMinutes: p.integer(),
    alertThreshold: p.float(),
    channels: p.type(sealedJson("alert channels")).$type<AlertChannels>(),
    options: p.type(sealedJson("capture options")).$type<MonitorOptions>(),
    paused: p.boolean(),
    hold: p.enum(HOLDS).strictNullable(),
    /** Where in its interval it has its turn, 0–1. */
    phase: p.float(),
    /** Counts the addresses that it has had: each has baselines of its own. */
    generation: p.integer(),

    /** What its checks found last; `never` until one has. */
    status: p.enum(["never", "ok", "changed", "down"] as const),
    /** Digest of the pages that looked different then; null for none. */
    look: p.string().strictNullable(),
    lastChangeAt: p.datetime().strictNullable(),
    /** Of the checks that are kept: those in which the site answered, and those in which it did not. */
    checksUp: p.integer(),
    checksDown: p.integer(),

    /** Null where it is not scheduled. */
    nextAt: p.datetime().strictNullable(),
    /** The check that is under way: there is one at most. */
    checkId: p.string().strictNullable(),
    lastCheckId: p.string().strictNullable(),

    createdBy: p.string(),
    createdAt: p.datetime(),
    /** Since then it is only there to be removed. */
    deletedAt: p.datetime().strictNullable(),
  },
});

export type Monitor = InferEntity<typeof MonitorEntity>;
