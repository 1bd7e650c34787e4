import { availableParallelism } from "node:os";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { screenshotBaselinesFolder } from "../baselines/baselines.ts";
import { openBaselines } from "../baselines/read-baselines.ts";
import { browserLocation } from "../browser-location.ts";
import { addRemoved } from "../check/add-removed.ts";
import { CaptureEngine } from "../check/capture-engine.ts";
import { CheckFolder } from "../check/check-folder.ts";
import type { CheckEvent, CheckResult } from "../check/check-result.ts";
import { checkScreenshots } from "../check/check-screenshots.ts";
import { finishCheck, PLATFORM } from "../check/finish-check.ts";
import { screenshotsOf } from "../check/plan-screenshots.ts";
import { readLogins } from "../check/read-logins.ts";
import { type Selection, selectScreenshots } from "../check/select-screenshots.ts";
import { type Configuration, screenshotConfigHash } from "../config/load-config.ts";
import { gitLine } from "../git.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { STORYBOOK_ERRORS as ERRORS, STORYBOOK_TEXTS as TEXTS } from "../texts/storybook.ts";
import type { StorybookSource } from "./open-source.ts";
import { planStories, withTags } from "./plan-stories.rule.ts";
import { readIndex } from "./read-index.ts";

export interface StorybookCheckRequest extends Configuration {
  terminal: Terminal;
  source: StorybookSource;
  /** Name of the set of baselines. */
  name: string;
  selection?: Selection | undefined;
  /** Tags that stories must have, or with `!` must not have. */
  tags?: readonly string[] | undefined;
  /** Branch, tag or commit with the baselines to compare; by default the configured one. */
  branch?: string | undefined;
  /** Number of pages at the same time; by default the configured one, otherwise the number of cores. */
  concurrency?: number | undefined;
  /** Whether to write the HTML report; true by default. */
  report?: boolean | undefined;
  onEvent?: (event: CheckEvent) => void;
}

/**
 * Captures the stories of a Storybook, and compares them with their baselines. Stores the result as `runCheck` does.
 * @throws CommandError `storybook_unreachable`, `storybook_invalid`, `parameters_invalid`, `nothing_selected`,
 * `no_browser` …; the reason of the terminal's signal
 */
export async function runStorybookCheck(request: StorybookCheckRequest): Promise<CheckResult> {
  const { config, root, terminal, source, tags = [], onEvent = () => {} } = request;
  const { signal } = terminal;
  const startedAt = new Date();
  const indexed = await readIndex(source.url, signal);
  if (indexed.length === 0) throw new CommandError("nothing_selected", ERRORS.noStories(source.shown));
  const concurrency = request.concurrency ?? config.concurrency ?? availableParallelism();
  const folder = new CheckFolder(root);
  const location = browserLocation(terminal.env, root, config.browser.path);
  const engine = new CaptureEngine({ ...location, threads: concurrency });
  try {
    await Promise.all([folder.prepare(), engine.start()]);
    const ids = indexed.map(({ id }) => id);
    const { stories: extracted, errors } = await engine.stories(
      { url: `${source.url}/iframe.html`, ids },
      signal,
    );
    for (const message of errors) onEvent({ type: "warning", message: TEXTS.moduleFailed(message) });
    const plan = planStories(indexed, { url: source.url, extracted, config });
    const tagged = withTags(plan.stories, tags);
    if (tagged.length === 0 && plan.stories.length > 0)
      throw new CommandError("nothing_selected", ERRORS.noStoriesWithTags(tags));
    const selected = selectScreenshots(tagged, request.selection ?? {});
    onEvent({ type: "planned", shots: screenshotsOf(selected).map(pickPage) });
    const excluded = indexed.length - withTags(indexed, tags).length;
    const reasons = [
      ...(plan.disabled > 0 ? [TEXTS.disabled(plan.disabled)] : []),
      ...(excluded > 0 ? [TEXTS.excluded(excluded)] : []),
    ];
    if (reasons.length > 0) onEvent({ type: "note", message: TEXTS.skipped(reasons) });
    const all = screenshotsOf(plan.stories);
    const directory = screenshotBaselinesFolder(request, request.name);
    const [baselines, commit, logins] = await Promise.all([
      openBaselines(directory, request.branch ?? config.baselines.branch, all),
      gitLine(root, ["rev-parse", "HEAD"]),
      readLogins([], { root, env: terminal.env }),
    ]);
    const { plugins } = config;
    const work = {
      engine,
      folder,
      plugins,
      logins,
      concurrency,
      baseUrl: source.url,
      platform: PLATFORM,
      onEvent,
    };
    const captured = await checkScreenshots(selected, baselines, work, signal);
    const screenshots = await addRemoved(captured, { all, baselines, folder, request });
    const patterns = [source.shown];
    return await finishCheck(request, {
      ...{ startedAt, baselines, screenshots, folder, baseUrl: source.shown },
      source: {
        ...{ config: request.file, configHash: screenshotConfigHash(config), commit: commit || null },
        screenshots: { patterns, name: request.name, naming: null, subset: tags.length > 0 },
      },
    });
  } finally {
    await engine.close();
  }
}
