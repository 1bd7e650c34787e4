import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { sealedJson } from "../../../mixins/database.ts";
import type { MonitorOptions } from "../../../shared/contracts/capture/capture-options.ts";
import type { Viewport } from "../../../shared/contracts/capture/viewport.ts";
import type { AlertChannels } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { HttpSettings } from "../../../shared/contracts/monitors/http-checks.ts";

/** Why a monitor is on hold: the plan has no schedules, or older monitors use up its limit. */
const HOLDS = ["plan", "over"] as const;

/** A site that is checked at an interval. */
export const MonitorEntity = defineEntity({
  name: "Monitor",
  tableName: "monitor",
  properties: {
    id: p.string().primary(),
    teamId: p.string(),
    name: p.string(),
    url: p.string(),
    routes: p.json<string[]>(),
    viewports: p.json<Viewport[]>(),
    intervalMinutes: p.integer(),
    alertThreshold: p.float(),
    channels: p.type(sealedJson("alert channels")).$type<AlertChannels>(),
    options: p.type(sealedJson("capture options")).$type<MonitorOptions>(),
    /** Regions whose renderers capture its pages. Empty for any renderer. */
    regions: p.json<string[]>(),
    /** Number of regions that must see a problem. */
    agree: p.integer(),
    /** Settings of its HTTP check. Null without one. */
    http: p.json<HttpSettings>().strictNullable(),
    paused: p.boolean(),
    tags: p.json<string[]>(),
    /** The secret part of its badge's URL. Null without a badge. */
    badgeToken: p.string().strictNullable(),
    hold: p.enum(HOLDS).strictNullable(),
    /** When it is due within its interval, 0–1. */
    phase: p.float(),
    /** Number of URLs that it has had. Each has its own baselines. */
    generation: p.integer(),

    /** Result of its last check. `never` before the first one. */
    status: p.enum(["never", "ok", "changed", "down"] as const),
    /** Digest of the changed pages of the last check. Null if none changed. */
    changedDigest: p.string().strictNullable(),
    lastChangeAt: p.datetime().strictNullable(),
    /** Number of stored checks outside maintenance in which the site responded, and in which it did not. */
    checksUp: p.integer(),
    checksDown: p.integer(),

    /** Null if it is not scheduled. */
    nextAt: p.datetime().strictNullable(),
    /** The running check. There is at most one. */
    checkId: p.string().strictNullable(),
    lastCheckId: p.string().strictNullable(),

    createdBy: p.string(),
    createdAt: p.datetime(),
    /** Time at which it was deleted. Its data is deleted later. */
    deletedAt: p.datetime().strictNullable(),
  },
});

export type Monitor = InferEntity<typeof MonitorEntity>;
