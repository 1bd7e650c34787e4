import type { Fields } from "./step-fields.ts";

/** Fields of a stored configuration, by the section of the project's settings that saves them. */
export const CAPTURE_SECTIONS = {
  pages: ["routes", "viewports", "threshold", "session"],
  elements: ["masks", "hide", "waitForSelector"],
  regions: ["ignoreRegions"],
  environments: ["environments"],
  sessions: ["sessions"],
  perRoute: ["perRoute"],
} as const;

export type CaptureSection = keyof typeof CAPTURE_SECTIONS;

/** Sections of a project's settings, in their order. Links name them. */
export const PROJECT_SECTIONS = [
  "pages",
  "elements",
  "regions",
  "ignore-rules",
  "environments",
  "sessions",
  "secrets",
  "perRoute",
  "branches",
  "reviews",
  "reviewer-rules",
  "notifications",
  "threads",
  "retention",
  "links",
  "schedules",
] as const;

export type ProjectSection = (typeof PROJECT_SECTIONS)[number];

/** The sections of the monitors' settings. */
export const MONITOR_SECTIONS: readonly ProjectSection[] = [
  "environments",
  "sessions",
  "secrets",
  "notifications",
  "schedules",
];

const SECTIONED = new Set<string>(Object.values(CAPTURE_SECTIONS).flat());

/**
 * Returns the stored configuration with one section as it is edited. Fields without a section are edited as JSON, and
 * saved with any section.
 */
export function withSection(stored: object, edited: Fields, section: CaptureSection): Fields {
  const isSaved = savedWith(section);
  const kept = Object.entries(stored).filter(([name]) => !isSaved(name));
  const changed = Object.entries(edited).filter(([name]) => isSaved(name));
  return Object.fromEntries([...kept, ...changed]);
}

/** Returns whether a section has changes that are not saved. */
export function isSectionEdited(stored: object, edited: Fields, section: CaptureSection): boolean {
  const own = new Set<string>(CAPTURE_SECTIONS[section]);
  const of = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([name]) => own.has(name)));
  return canonical(of(stored)) !== canonical(of(edited));
}

function savedWith(section: CaptureSection): (name: string) => boolean {
  const own = new Set<string>(CAPTURE_SECTIONS[section]);
  return name => own.has(name) || !SECTIONED.has(name);
}

/** Returns a value as JSON with the fields of objects in alphabetical order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
