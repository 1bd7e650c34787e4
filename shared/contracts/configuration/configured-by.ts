import { z } from "zod";

const fields = z.array(z.string());

/** Which fields of a run its submission left to configurations. */
export const configuredBy = z.object({
  repository: fields.describe(
    "Fields that the repository's configuration set, such as `routes`. Options are named one by one",
  ),
  project: fields.describe("Fields that the project's stored configuration set, such as `masks`"),
});

export type ConfiguredBy = z.infer<typeof configuredBy>;
