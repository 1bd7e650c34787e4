import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Launch, LOST_PIXEL } from "../support/peer-tools.ts";
import { makeFolder } from "../support/tool-process.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const VRS = here("../../cli/main.ts");
const TEST_RUNNER = here("../node_modules/@storybook/test-runner/dist/test-storybook.js");
const MODULES = here("../node_modules");

/** The Storybook that all tools check, and how. */
export interface StorySet {
  /** Folder of the build. */
  build: string;
  /** Where it is served, for the tool that needs a server. */
  url: string;
  concurrency: number;
  launch: Launch;
}

/** A tool that checks all stories. */
export interface StoryTool {
  name: string;
  /** Files of its project. */
  files: Record<string, string>;
  /** Commands that create the baselines. */
  prepare: string[][];
  /** The command that is timed. */
  check: string[];
  /** Exit codes without an error, the commands that create the baselines included. */
  codes: number[];
}

/** Returns vrs. */
export function vrs({ build, concurrency }: StorySet): StoryTool {
  const check = [VRS, "storybook", build, "--concurrency", String(concurrency), "--quiet"];
  return {
    ...{ name: "vrs storybook", files: {}, check, codes: [0, 1] },
    prepare: [check, [VRS, "approve"]],
  };
}

/** Returns the command of vrs for what changed in another build. */
export function vrsOnlyChanged(build: string, { concurrency }: StorySet): string[] {
  return [VRS, "storybook", build, "--only-changed", "--concurrency", String(concurrency), "--quiet"];
}

/** Returns Lost Pixel. Its waits of seconds are set to zero, because the comparison is about work. */
export function lostPixel({ build, concurrency, launch }: StorySet): StoryTool {
  const config = {
    generateOnly: true,
    failOnDifference: true,
    storybookShots: { storybookUrl: build },
    shotConcurrency: concurrency,
    compareConcurrency: concurrency,
    waitBeforeScreenshot: 0,
    timeouts: { waitForFirstRequest: 1, waitForLastRequest: 1 },
    browserLaunchOptions: { chromium: launch },
  };
  return {
    name: "Lost Pixel",
    files: { "lostpixel.config.js": `module.exports = { config: ${JSON.stringify(config)} };` },
    ...{ prepare: [[LOST_PIXEL, "update"]], check: [LOST_PIXEL], codes: [0, 1] },
  };
}

/** Returns the test runner of Storybook with a screenshot of the page after each story, as its documentation shows it. */
export function testRunner({ url, concurrency, launch }: StorySet): StoryTool {
  const hooks = `
import { mkdir, writeFile } from "node:fs/promises";
import { waitForPageReady } from "@storybook/test-runner";
await mkdir("screenshots", { recursive: true });
export default {
  async postVisit(page, { id }) {
    await waitForPageReady(page);
    await writeFile("screenshots/" + id + ".png", await page.screenshot());
  },
};`;
  const jest = `
import { getJestConfig } from "@storybook/test-runner";
const config = getJestConfig();
const options = config.testEnvironmentOptions["jest-playwright"];
export default { ...config, testEnvironmentOptions: { ...config.testEnvironmentOptions,
  "jest-playwright": { ...options, launchOptions: ${JSON.stringify(launch)} } } };`;
  const check = [TEST_RUNNER, "--url", url, "--index-json", "--maxWorkers", String(concurrency)];
  return {
    name: "Storybook's test runner",
    files: {
      "package.json": '{ "type": "module" }',
      "test-runner-jest.config.js": jest,
      ".storybook/main.js": `export default { stories: ["../src/*.stories.jsx"], framework: "@storybook/react-vite" };`,
      ".storybook/test-runner.js": hooks,
    },
    ...{ prepare: [check], check, codes: [0] },
  };
}

/** Creates the project of a tool, which finds the packages of the benchmarks. @returns its folder */
export async function makeProject(root: string, { name, files }: StoryTool): Promise<string> {
  const folder = join(root, name.replaceAll(/\W+/g, "-"));
  await makeFolder(folder, {});
  for (const [file, text] of Object.entries(files)) {
    const at = file.lastIndexOf("/");
    await makeFolder(join(folder, file.slice(0, Math.max(0, at))), { [file.slice(at + 1)]: text });
  }
  await symlink(MODULES, join(folder, "node_modules"));
  return folder;
}
