import { z } from "zod";

/** Kinds of variables of the environment that several have. */

/** Entries with commas between; blanks around them do not count, nor do empty ones. */
export const commaList = z.string().transform(value =>
  value
    .split(",")
    .map(entry => entry.trim())
    .filter(entry => entry !== ""),
);

export const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
