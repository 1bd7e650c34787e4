import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** A platform user's consent to render the custom domains of a project, or of all of a team's projects. */
export const ConsentEntity = defineEntity({
  name: "Consent",
  tableName: "consent",
  properties: {
    /** `project:<id>` or `team:<id>`. */
    key: p.string().primary(),
    /** The installation that created it; null for later registrations and those of operators. */
    configurationId: p.string().strictNullable(),
    /** The team's consent that covered the project when it was new; null for its own consent. */
    registeredBy: p.string().strictNullable(),
    registeredAt: p.datetime(),
  },
});

export type Consent = InferEntity<typeof ConsentEntity>;
