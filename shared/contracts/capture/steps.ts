import { z } from "zod";
import { text } from "../fields.ts";
import { BOUNDS } from "./bounds.ts";
import { viewportSchema } from "./viewport.ts";

/**
 * A Playwright locator: a CSS selector, `role=button[name="Save"]`, `text=Save`, `label=Email`, `placeholder=Email`,
 * `testid=save`, or `xpath=//button`.
 */
const locator = z
  .string()
  .min(1)
  .max(1000)
  .describe(
    'Playwright locator: CSS, role=button[name="Save"], text=Save, label=Email, placeholder=Email, testid=save or xpath=//button',
  );

/** A value that is typed. It can contain `${secret.NAME}` and `${totp.NAME}`. */
const value = z
  .string()
  .max(10_000)
  .describe(
    "Text. A secret's reference is replaced by the project's secret, and totp.NAME by its current one-time code",
  );

const common = {
  timeoutMs: z
    .int()
    .min(100)
    .max(BOUNDS.stepTimeoutMs)
    .optional()
    .describe("Time that the step may take, ms. Default: 5,000"),
};

const uploadFile = z.strictObject({
  name: text(200).describe("File name"),
  contentType: text(200).default("application/octet-stream"),
  base64: z.base64().max(BOUNDS.uploadChars).describe("Content of the file"),
});

/** Name of a state. Together with the route, it identifies a page. */
export const stateName = text(80).describe("Name of the state, such as menu open");

/** Which part of the page a screenshot shows. */
export const elementSchema = z
  .union(
    [
      locator,
      z.strictObject({
        selector: locator,
        all: z
          .boolean()
          .default(false)
          .describe("Whether all matches are shown below each other. Default: the first"),
      }),
    ],
    "must be a locator, or { selector, all }",
  )
  .describe("Element that the screenshot shows in place of the page");

export const padding = z
  .int()
  .min(0)
  .max(BOUNDS.paddingPx)
  .describe("Space around the element that the screenshot shows, px. Default: 0");

export const fullPage = z
  .boolean()
  .describe("Whether the screenshot shows the whole page. Default: true. With false, it shows the viewport");

const waitFields = {
  selector: locator.optional().describe("Waits until this element is visible"),
  text: text(1000).optional().describe("Waits until this text is visible"),
  request: text(2000).optional().describe("Waits for the response to a request whose URL matches this glob"),
  idle: z.literal(true).optional().describe("Waits until no request is open"),
  function: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe("Waits until this JavaScript expression of the page is true, such as window.isReady"),
};
const WAIT_FIELDS = Object.keys(waitFields);

const hasOneCondition = (step: object) => WAIT_FIELDS.filter(name => name in step).length === 1;
const ONE_CONDITION = `needs one of ${WAIT_FIELDS.join(", ")}`;

/** What a page shows or does once it is ready. */
export const conditionSchema = z
  .strictObject({ ...waitFields, ...common })
  .refine(hasOneCondition, ONE_CONDITION);

/** @param typed what a `fill` step types */
const stepsTyping = <Value extends z.ZodType>(typed: Value) =>
  z.discriminatedUnion("action", [
    z.strictObject({
      action: z.literal("click"),
      selector: locator,
      button: z.enum(["left", "middle", "right"]).optional().describe("Default: left"),
      count: z.int().min(1).max(3).optional().describe("Number of clicks. Default: 1"),
      ...common,
    }),
    z.strictObject({ action: z.literal("hover"), selector: locator, ...common }),
    z.strictObject({ action: z.literal("focus"), selector: locator, ...common }),
    z.strictObject({ action: z.literal("fill"), selector: locator, value: typed, ...common }),
    z.strictObject({
      action: z.literal("press"),
      key: text(50).describe("Key or shortcut of Playwright, such as Enter or Control+K"),
      selector: locator.optional().describe("Element that gets the key. Default: the focused element"),
      ...common,
    }),
    z.strictObject({
      action: z.literal("select"),
      selector: locator,
      value: z
        .union([value, z.array(value).min(1).max(50)], "must be a text or a list of texts")
        .describe("Values or labels of the options"),
      ...common,
    }),
    z.strictObject({
      action: z.literal("check"),
      selector: locator,
      checked: z.boolean().optional().describe("State of the checkbox or radio button. Default: true"),
      ...common,
    }),
    z.strictObject({
      action: z.literal("drag"),
      selector: locator,
      to: locator.describe("Element that the first one is dropped on"),
      ...common,
    }),
    z.strictObject({
      action: z.literal("upload"),
      selector: locator.describe("File input"),
      files: z.array(uploadFile).max(BOUNDS.uploadFiles),
      ...common,
    }),
    z
      .strictObject({
        action: z.literal("scrollTo"),
        selector: locator.optional(),
        y: z.int().min(0).max(1_000_000).optional().describe("Distance from the top of the page, px"),
        ...common,
      })
      .refine(step => (step.selector === undefined) !== (step.y === undefined), "needs either selector or y"),
    z
      .strictObject({ action: z.literal("waitFor"), ...waitFields, ...common })
      .refine(hasOneCondition, ONE_CONDITION),
    z.strictObject({
      action: z.literal("goto"),
      url: z.string().min(1).max(2000).describe("Path such as /settings, or an absolute http or https URL"),
      status: z
        .int()
        .min(200)
        .max(599)
        .optional()
        .describe("Status that the page must return, such as 404. By default, statuses from 400 fail"),
      ...common,
    }),
    z.strictObject({
      action: z.literal("setViewport"),
      width: viewportSchema,
      height: z.int().min(BOUNDS.minViewportHeightPx).max(BOUNDS.maxViewportHeightPx).optional(),
      ...common,
    }),
    z.strictObject({
      action: z.literal("screenshot"),
      name: stateName
        .optional()
        .describe("Name of the state. Without a name, it is the page's own screenshot"),
      element: elementSchema.optional(),
      padding: padding.optional(),
      fullPage: fullPage.optional(),
      ...common,
    }),
  ]);

/** One action on the page before its screenshot. */
export const stepSchema = stepsTyping(value);

/** A step as answers show it in a login: without a typed text that is not a reference to a secret. */
export const loginStepView = stepsTyping(
  value.optional().describe("Reference to a secret. Other texts are not shown"),
);

export type Step = z.infer<typeof stepSchema>;
export type LoginStepView = z.infer<typeof loginStepView>;
export type Condition = z.infer<typeof conditionSchema>;
export type ScreenshotStep = Extract<Step, { action: "screenshot" }>;
export type ElementTarget = z.infer<typeof elementSchema>;

/** Steps before the screenshot, or between several screenshots of a page. */
export const stepsSchema = z
  .array(stepSchema)
  .max(BOUNDS.steps)
  .superRefine((steps, context) => {
    const names = statesOf(steps);
    if (names.length > BOUNDS.states) {
      const message = `must have at most ${BOUNDS.states} screenshot steps`;
      context.addIssue({ code: "custom", path: [], message });
    }
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated === undefined) return;
    const message =
      repeated === null
        ? "must have at most one screenshot step without a name"
        : `must not have two screenshot steps with the name "${repeated}"`;
    context.addIssue({ code: "custom", path: [], message });
  })
  .describe(
    "Actions on the page before its screenshot. A `screenshot` step captures a state of the page. Without such a step, the page is captured after the last step",
  );

/** Returns the states that a page's steps capture, in order. Null is the page's own screenshot. */
export function statesOf(steps: readonly Step[] | undefined): (string | null)[] {
  const screenshots = (steps ?? []).filter(step => step.action === "screenshot");
  return screenshots.length === 0 ? [null] : screenshots.map(({ name }) => name ?? null);
}
