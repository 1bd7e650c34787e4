import { relative, resolve } from "node:path";
import { isPageUrl } from "../../shared/contracts/fields.ts";
import type { StorybookInput } from "../../shared/contracts/runs/stories.ts";
import type { Configuration } from "../config/load-config.ts";
import { CommandError } from "../terminal.ts";
import { RUN_ERRORS } from "../texts/cloud.ts";

/** Storybook's own default. */
const DEFAULT_FOLDER = "storybook-static";

/** The options that choose the site of a run. */
interface SiteFlags {
  url?: string;
  archive?: string;
  routes?: string[];
  storybook?: boolean;
  tags?: string[];
  onlyChanged?: boolean;
}

/** The site of a run, and the stories to check; undefined for a run of pages. */
type Site<Flags> = Omit<Flags, "storybook" | "url" | "archive"> & {
  storybook: StorybookInput | undefined;
} & Pick<SiteFlags, "url" | "archive">;

/**
 * Completes the options of a run of stories with the configuration's Storybook.
 * @throws CommandError `usage` for options that don't go together
 */
export function withStorybook<Flags extends SiteFlags>(
  flags: Flags,
  loaded: Configuration | null,
  cwd: string,
): Site<Flags> {
  if (!flags.storybook) {
    if (flags.onlyChanged !== undefined) throw new CommandError("usage", RUN_ERRORS.onlyChangedAlone);
    if (flags.tags !== undefined) throw new CommandError("usage", RUN_ERRORS.tagsAlone);
    return { ...flags, storybook: undefined };
  }
  if (flags.routes !== undefined) throw new CommandError("usage", RUN_ERRORS.storybookAndRoutes);
  const { source, tags: configured, onlyChanged: isConfigured } = loaded?.config.storybook ?? {};
  const tags = flags.tags ?? configured;
  const ofSite = tags && tags.length > 0 ? { tags } : {};
  const url = flags.url ?? (flags.archive === undefined && source && isPageUrl(source) ? source : undefined);
  if (url !== undefined) {
    if (flags.onlyChanged) throw new CommandError("usage", RUN_ERRORS.onlyChangedUrl);
    return { ...flags, storybook: ofSite, url };
  }
  const onlyChanged = flags.onlyChanged ?? isConfigured;
  const storybook = { ...ofSite, ...(onlyChanged !== undefined && { onlyChanged }) };
  if (flags.archive !== undefined) return { ...flags, storybook };
  const folder = source === undefined ? DEFAULT_FOLDER : resolve(loaded?.root ?? cwd, source);
  return { ...flags, storybook, archive: relative(cwd, resolve(cwd, folder)) || "." };
}
