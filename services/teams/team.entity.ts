import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { DEFAULT_LINK_SETTINGS } from "../../shared/links/link-rules.ts";

/** People and keys that share projects and baselines. */
export const TeamEntity = defineEntity({
  name: "Team",
  tableName: "team",
  properties: {
    id: p.string().primary(),
    name: p.string(),
    createdAt: p.datetime(),
    /** From then on it opens nothing, and can be restored for a while. */
    deletedAt: p.datetime().strictNullable(),
    /** People and keys who must approve a screenshot before it is approved. */
    requiredApprovals: p.integer(),
    /** Whether who submitted a run may approve it. */
    allowSelfApproval: p.boolean(),
    /** Days that links of reports and images open them. */
    linkDays: p.integer(),
    /** Whether links open without signing in. */
    publicLinks: p.boolean(),
    /** How many members its plan has places for, as far as is known; null for any number. */
    seats: p.integer().strictNullable(),
    /** The person who made it, herself or with a key; null where nobody did, or long ago. */
    madeBy: p.string().strictNullable(),
  },
});

/** What a new team asks of reviews. */
export const DEFAULT_SETTINGS = { requiredApprovals: 1, allowSelfApproval: true } as const;

/** What every new team has. */
export const NEW_TEAM = {
  deletedAt: null,
  seats: null,
  madeBy: null,
  ...DEFAULT_SETTINGS,
  ...DEFAULT_LINK_SETTINGS,
} as const;

export type Team = InferEntity<typeof TeamEntity>;
