import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** A namespace of baselines. */
export const ProjectEntity = defineEntity({
  name: "Project",
  tableName: "project",
  properties: {
    id: p.string().primary(),
    teamId: p.string(),
    name: p.string(),
    /** The branch that provides the baselines of all other branches. */
    defaultBranch: p.string(),
    /**
     * Whether a run of the default branch is repeated once a day, to count pages that differ although nothing changed.
     */
    nullReruns: p.boolean(),
    createdAt: p.datetime(),
  },
});

export type Project = InferEntity<typeof ProjectEntity>;
