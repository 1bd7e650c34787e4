/** What is wrong with a Storybook: its list of stories, or the parameters of one. */
export type StorybookFailure = "storybook_invalid" | "parameters_invalid";

/** A Storybook whose screenshots can't be planned. The message tells its user what to do. */
export class StorybookError extends Error {
  readonly code: StorybookFailure;

  constructor(code: StorybookFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StorybookError";
    this.code = code;
  }
}
