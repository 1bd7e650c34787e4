import { StorybookError } from "../../shared/storybook/storybook-error.ts";
import { CommandError } from "../terminal.ts";

/** Runs work. @throws CommandError in place of a StorybookError */
export function withStorybookErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof StorybookError ? new CommandError(error.code, error.message, error) : error;
  }
}
