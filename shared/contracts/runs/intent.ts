import { z } from "zod";
import { text } from "../fields.ts";

/** Limits of an intent, for each of its lists. */
const INTENT_BOUNDS = { terms: 10, chars: 100 } as const;

const terms = (description: string) =>
  z.array(text(INTENT_BOUNDS.chars)).max(INTENT_BOUNDS.terms).default([]).describe(description);

const intentFields = {
  routes: z
    .array(
      text(INTENT_BOUNDS.chars)
        .startsWith("/", "must start with /")
        .or(text(INTENT_BOUNDS.chars).startsWith("*", "must start with / or *")),
    )
    .max(INTENT_BOUNDS.terms)
    .default([])
    .describe("Routes that should change. `*` stands for any text, such as in `/checkout*`. Default: any"),
  selectors: terms(
    "Elements that should change, as classes, ids or tags, such as `.btn-primary`. Compared with the causes' selectors and CSS rules",
  ),
  words: terms(
    "Words that tell what should change, such as `price` or `header.css`. Compared with the causes' texts and files, without regard to case",
  ),
};

/** `intent` in the body of `POST /v1/run` and `POST /v1/builds`: what the author meant to change. */
export const intentInput = z
  .strictObject(intentFields)
  .refine(({ routes, selectors, words }) => routes.length + selectors.length + words.length > 0, {
    message: "must have at least one route, selector or word",
  });

/** What a run was meant to change, and how many of its changes were. */
export const intentView = z.object({
  routes: z.array(z.string()),
  selectors: z.array(z.string()),
  words: z.array(z.string()),
  intended: z
    .int()
    .nullable()
    .describe(
      "Number of changed, new and removed screenshots that match the intent, with minor changes. Null until the run ends",
    ),
  unintended: z
    .int()
    .nullable()
    .describe("Number of those that don't match it, and of failed ones. Null until the run ends"),
});

export type IntentInput = z.output<typeof intentInput>;
export type Intent = z.infer<typeof intentView>;
