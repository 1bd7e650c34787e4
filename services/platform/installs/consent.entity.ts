import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** That the platform's user lets a project's custom domains be rendered, or those of all of a team's projects. */
export const ConsentEntity = defineEntity({
  name: "Consent",
  tableName: "consent",
  properties: {
    /** `project:<id>` or `team:<id>`. */
    key: p.string().primary(),
    /** The installation that it came with; null for one that was registered later, or that the operator made. */
    configurationId: p.string().strictNullable(),
    /** The team's record under which a new project was found; null for a project of its own. */
    registeredBy: p.string().strictNullable(),
    registeredAt: p.datetime(),
  },
});

export type Consent = InferEntity<typeof ConsentEntity>;
