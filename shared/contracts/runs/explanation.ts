import { z } from "zod";

/** Limits of an explanation. */
export const EXPLANATION_BOUNDS = { causes: 10, effects: 10, accessibility: 20, chars: 300 } as const;

const CAUSE_KINDS = [
  ...["failed_request", "missing_file", "font", "browser", "viewport", "document"],
  ...["style", "added", "removed", "shown", "hidden", "reordered", "text", "image", "attribute", "resized"],
] as const;

const file = z.object({
  url: z.string(),
  change: z.enum(["changed", "added", "removed", "failed"]),
  source: z
    .string()
    .optional()
    .describe(
      "Path in the repository or in the source map, with the line if it is known: `src/button.css:12`",
    ),
  since: z.string().optional().describe("The commit since which the source has changed"),
});

const cause = z.object({
  kind: z.enum(CAUSE_KINDS),
  key: z.string().describe("Equal keys mean the same cause, on other pages too"),
  text: z.string().describe("The cause in words, with code in backticks"),
  selector: z.string().nullable().describe("The elements. Null for causes that affect the whole page"),
  elements: z.int().describe("Number of elements"),
  property: z.string().nullable().describe("The CSS property or the attribute"),
  before: z.string().nullable(),
  after: z.string().nullable(),
  file: file.nullable().describe("The response that caused it, if it is known"),
  rule: z.string().nullable().describe("Selector of the CSS rule, if it is known"),
});

const ACCESSIBILITY_KINDS = ["name_lost", "name_changed", "role_changed", "contrast"] as const;

const accessibilityChange = z.object({
  kind: z.enum(ACCESSIBILITY_KINDS),
  text: z.string().describe("The change in words"),
  selector: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

const runCause = cause.pick({ key: true, kind: true, text: true }).extend({
  screenshots: z.int().describe("Number of changed screenshots with this cause"),
  isProven: z.boolean().optional().describe("Whether a proof found that its file is the cause"),
});

/** Causes of a run's changes. */
export const runCausesSchema = z.array(runCause);

/** Why a screenshot changed. */
export const explanationSchema = z.object({
  causes: z
    .array(cause)
    .describe(
      `Causes that affect the whole page first, then by changed area. At most ${EXPLANATION_BOUNDS.causes}`,
    ),
  effects: z
    .array(z.string())
    .describe(`What followed from the causes, such as moved elements. At most ${EXPLANATION_BOUNDS.effects}`),
  accessibility: z
    .array(accessibilityChange)
    .describe(`Changes for assistive technology. At most ${EXPLANATION_BOUNDS.accessibility}`),
});

export type Explanation = z.infer<typeof explanationSchema>;
export type RunCause = z.infer<typeof runCause>;
export type Cause = z.infer<typeof cause>;
export type CauseFile = z.infer<typeof file>;
export type AccessibilityChange = z.infer<typeof accessibilityChange>;
