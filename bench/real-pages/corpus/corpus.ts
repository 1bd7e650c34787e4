import { CHARTS } from "./charts.ts";
import { COMPONENTS } from "./components.ts";
import { DOCUMENTATION } from "./documentation.ts";
import type { Site } from "./site.ts";
import { TEMPLATES } from "./templates.ts";

/** Pages that nobody in this project wrote, from npm packages of bench/package.json. */
export const SITES: readonly Site[] = [...TEMPLATES, ...COMPONENTS, ...CHARTS, ...DOCUMENTATION];
