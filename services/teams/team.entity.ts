import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { DEFAULT_LINK_SETTINGS } from "../../shared/links/link-rules.ts";

/** Users and keys that share projects and baselines. */
export const TeamEntity = defineEntity({
  name: "Team",
  tableName: "team",
  properties: {
    id: p.string().primary(),
    name: p.string(),
    createdAt: p.datetime(),
    /** A deleted team grants no access, and can be restored for a while. */
    deletedAt: p.datetime().strictNullable(),
    /** The users and keys who must approve a screenshot. */
    requiredApprovals: p.integer(),
    /** Whether submitters can approve their own runs. */
    allowSelfApproval: p.boolean(),
    /** The days for which links of reports and images are valid. */
    linkDays: p.integer(),
    /** Whether links work without signing in. */
    publicLinks: p.boolean(),
    /** The seats of its plan at the last reading; null for no limit. */
    seats: p.integer().strictNullable(),
    /** The user who created it, directly or with a key. Null without one, and for old teams. */
    madeBy: p.string().strictNullable(),
  },
});

/** The review settings of a new team. */
export const DEFAULT_SETTINGS = { requiredApprovals: 1, allowSelfApproval: true } as const;

/** The initial values of a new team. */
export const NEW_TEAM = {
  deletedAt: null,
  seats: null,
  madeBy: null,
  ...DEFAULT_SETTINGS,
  ...DEFAULT_LINK_SETTINGS,
} as const;

export type Team = InferEntity<typeof TeamEntity>;
