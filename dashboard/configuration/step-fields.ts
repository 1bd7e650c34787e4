/** Fields of a step or of another object, as the API has them. Inputs set texts. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields that the form shows for each action, in order. Other fields stay as they are. */
export const STEP_FIELDS = {
  click: ["selector"],
  fill: ["selector", "value"],
  press: ["key", "selector"],
  select: ["selector", "value"],
  check: ["selector"],
  hover: ["selector"],
  focus: ["selector"],
  scrollTo: ["selector", "y"],
  waitFor: ["selector", "text", "request", "function"],
  goto: ["url"],
  drag: ["selector", "to"],
  upload: ["selector"],
  setViewport: ["width", "height"],
  screenshot: ["name"],
} as const;

export type StepAction = keyof typeof STEP_FIELDS;
export type StepField = (typeof STEP_FIELDS)[StepAction][number];

/** Returns whether a value is the name of an action. */
export function isStepAction(value: unknown): value is StepAction {
  return typeof value === "string" && Object.hasOwn(STEP_FIELDS, value);
}

/** Returns a step with another action. Fields that both have stay. */
export function withAction(step: Fields, action: StepAction): Fields {
  const kept: readonly string[] = [...STEP_FIELDS[action], "timeoutMs"];
  const fields = Object.entries(step).filter(([name]) => kept.includes(name));
  return { action, ...Object.fromEntries(fields) };
}
