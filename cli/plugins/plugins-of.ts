import { z } from "zod";
import { nearestName } from "../../shared/text/nearest-name.ts";
import { CommandError } from "../terminal.ts";
import { PLUGIN_ERRORS } from "../texts/errors.ts";
import { HOOKS, type Plugin } from "./plugin.ts";

const hook = z.custom<(...given: unknown[]) => unknown>(value => typeof value === "function").optional();

const pluginSchema = z.looseObject({
  name: z.string(),
  ...Object.fromEntries(HOOKS.map(name => [name, hook])),
});

/**
 * Validates the configuration's plugins, and keeps their objects.
 * @param shown the file's name in messages
 * @throws CommandError `config_invalid` for a hook that isn't a function, or a misspelled one
 */
export function pluginsOf(given: unknown, shown: string): Plugin[] {
  if (!Array.isArray(given)) return [];
  return given.map((value: unknown, index) => {
    if (isPlugin(value)) {
      const wrong = misspeltHook(value);
      if (wrong === null) return value;
      throw invalid(PLUGIN_ERRORS.notAHook(`${shown}: plugins[${index}].${wrong.name}`, wrong.near));
    }
    const bad = pluginSchema.safeParse(value).error?.issues[0]?.path[0] ?? "name";
    throw invalid(
      PLUGIN_ERRORS.mustBe(
        `${shown}: plugins[${index}].${String(bad)}`,
        bad === "name" ? "string" : "function",
      ),
    );
  });
}

function isPlugin(value: unknown): value is Plugin {
  return pluginSchema.safeParse(value).success;
}

/** Finds a function with almost the name of a hook. It would never be called, without any error. */
function misspeltHook(plugin: Plugin): { name: string; near: string } | null {
  for (const [name, value] of Object.entries(plugin)) {
    if (typeof value !== "function" || HOOKS.some(known => known === name)) continue;
    const near = nearestName(name, HOOKS);
    // A plugin with both names has its own function of the similar name.
    if (near !== null && !(near in plugin)) return { name, near };
  }
  return null;
}

function invalid(message: string): CommandError {
  return new CommandError("config_invalid", message);
}
