/** How far a story is. */
export interface StoryProgress {
  state: "pending" | "done" | "failed";
  /** The event of Storybook that says so; empty while it is pending. */
  event: string;
  /** Message of the error; empty without one. */
  message: string;
}

/**
 * Returns how far a story is, by the last events of Storybook's channel, or by those since `selectStory`. It is sent to
 * the page as text: it must use nothing from outside its body.
 */
export function readStory(storyId: string): StoryProgress {
  // An error of the play function is also reported as one of the story.
  const FAILURES = [
    "playFunctionThrewException",
    "unhandledErrorsWhilePlaying",
    "storyThrewException",
    "storyErrored",
    "storyMissing",
    "configError",
  ];
  interface Channel {
    last(event: string): unknown[] | undefined;
  }
  const channel: Channel | undefined = Reflect.get(globalThis, "__STORYBOOK_ADDONS_CHANNEL__");
  const since: Map<string, unknown[]> | undefined = Reflect.get(globalThis, Symbol.for("vrs.story"));
  const last = (event: string): unknown[] | undefined =>
    since === undefined ? channel?.last(event) : since.get(event);
  const field = (value: unknown, name: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  const messageOf = (error: unknown): string => {
    if (Array.isArray(error)) return error.map(messageOf).join("; ");
    const parts = [field(error, "title"), field(error, "message"), field(error, "description")];
    const texts = parts.filter(part => typeof part === "string" && part !== "");
    return texts.length > 0 ? texts.join(": ") : String(error ?? "");
  };

  for (const event of FAILURES) {
    const values = last(event);
    if (values !== undefined)
      return { state: "failed", event, message: messageOf(values[0]).slice(0, 2_000) };
  }
  const finished = last("storyFinished")?.[0];
  if (field(finished, "storyId") === storyId) return { state: "done", event: "storyFinished", message: "" };
  // Versions before 8.5 don't have the event, and others still run the hooks after the play function.
  const render = field(Reflect.get(globalThis, "__STORYBOOK_PREVIEW__"), "currentRender");
  const isRendered = last("storyRendered")?.[0] === storyId && field(render, "phase") !== "afterEach";
  return isRendered
    ? { state: "done", event: "storyRendered", message: "" }
    : { state: "pending", event: "", message: "" };
}
