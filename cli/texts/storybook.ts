/** `vrs storybook`. */
import { count, figure, listed } from "../../shared/text/format.ts";

export const STORYBOOK_ERRORS = {
  noFolder: (folder: string) =>
    `${folder} has no Storybook: iframe.html is missing. Build it first, let vrs build it with --build, or name the folder: vrs storybook <folder>.`,
  unreachable: (url: string, why: string) =>
    `Failed to read the stories of ${url}: ${why}. Start the Storybook, or name the folder of a build: vrs storybook <folder>.`,
  indexTooLarge: (mib: number) => `the list of stories is larger than ${mib} MiB`,
  noStories: (source: string) =>
    `${source} has no stories. Check \`stories\` in .storybook/main, and build the Storybook again.`,
  noStoriesWithTags: (tags: readonly string[]) =>
    `No story has the tags ${listed(tags)}. Check --tags, which excludes tags that begin with !.`,
  onlyChangedUrl:
    "--only-changed compares the files of a build. Name a folder in place of a URL, or leave it out.",
  buildWithUrl: "--build builds a folder. Leave it out for a URL, or name a folder.",
  noScript: (script: string, file: string) =>
    `${file} has no script "${script}". Add it, or name another script: --build <script>.`,
  noPackage: (folder: string) =>
    `${folder} has no readable package.json, so --build can't run its script. Run vrs in the folder of your project.`,
  buildFailed: (script: string, code: number | null, output: string) =>
    `The script "${script}" failed with code ${code}. ${output === "" ? "It printed nothing." : `It printed:\n${output}`}`,
  buildNotStarted: (script: string, why: string) => `The script "${script}" failed to start: ${why}.`,
  preview: (why: string) =>
    `Failed to read the stories' parameters from the preview: ${why} Open the Storybook in a browser to see why.`,
};

export const STORYBOOK_TEXTS = {
  building: (script: string) => `Building the Storybook with "${script}".`,
  moduleFailed: (message: string) =>
    `A module of stories failed to load, so its stories have no parameters: ${message}`,
  skipped: (reasons: readonly string[]) => `Skipped ${listed(reasons)}.`,
  disabled: (stories: number) => `${count(stories, "story", "stories")} (disabled by parameters)`,
  excluded: (stories: number) => `${count(stories, "story", "stories")} (excluded by --tags)`,
  onlyChanged: (captured: number, all: number, why: string) =>
    `Capturing ${figure(captured)} of ${count(all, "screenshot")}: ${why}.`,
  unchanged: (skipped: number, audited: number, by: "sources" | "files") =>
    `${count(skipped, "screenshot")} of stories ${by === "sources" ? "whose source files are unchanged" : "that load the same files"} ${skipped === 1 ? "is" : "are"} skipped. ${count(audited, "other")} ${audited === 1 ? "is" : "are"} captured as an audit`,
  noneUnchanged: "the files that the stories load have changed",
  noRecord: "there is no record of what the stories load. `vrs approve` writes it",
  missed: (stories: readonly string[]) =>
    `The audit found changes in stories whose files are unchanged: ${listed(stories)}. Other skipped stories may have changed, too. Check all stories without --only-changed.`,
};
