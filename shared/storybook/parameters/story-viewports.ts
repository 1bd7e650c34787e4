import type { Viewport } from "../../contracts/capture/viewport.ts";
import type { NamedViewport } from "./story-settings.ts";

/** Those that Storybook has without configuration. */
const MINIMAL: Readonly<Record<string, Viewport>> = {
  mobile1: { width: 320, height: 568 },
  mobile2: { width: 414, height: 896 },
  tablet: { width: 834, height: 1112 },
  desktop: { width: 1280, height: 1024 },
};

const RESPONSIVE = new Set(["responsive", "reset"]);

/** Returns the viewports of `parameters.viewport` by name: `options` of Storybook 9, `viewports` of earlier ones. */
export function namedViewports(parameter: unknown): Map<string, Viewport> {
  const configured = field(parameter, "options") ?? field(parameter, "viewports");
  const named = new Map(Object.entries(MINIMAL));
  if (typeof configured !== "object" || configured === null) return named;
  for (const [name, value] of Object.entries(configured)) {
    const styles = field(value, "styles");
    const width = sizeOf(field(styles, "width"));
    const height = sizeOf(field(styles, "height"));
    if (width === null) continue;
    named.set(name, height === null ? width : { width, height });
  }
  return named;
}

/**
 * Returns the viewport that a story sets for Storybook's own toolbar, or its size if the toolbar rotates it; null if it
 * sets none.
 */
export function toolbarViewport(parameter: unknown, globals: Record<string, unknown>): NamedViewport | null {
  const { viewport } = globals;
  const name = typeof viewport === "string" ? viewport : field(viewport, "value");
  const chosen = name ?? field(parameter, "defaultViewport");
  if (typeof chosen !== "string" || chosen === "" || RESPONSIVE.has(chosen)) return null;
  // Storybook before version 9 has the orientation.
  const isRotated =
    field(viewport, "isRotated") === true || field(parameter, "defaultOrientation") === "landscape";
  const size = isRotated ? namedViewports(parameter).get(chosen) : undefined;
  return typeof size === "object" ? { width: size.height, height: size.width } : chosen;
}

/** Returns a size in px; null for one that depends on the window, such as `100%`. */
function sizeOf(value: unknown): number | null {
  const match = /^(\d+(?:\.\d+)?)(?:px)?$/.exec(String(value ?? ""));
  return match?.[1] === undefined ? null : Math.round(Number(match[1]));
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
