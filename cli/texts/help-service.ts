/** The help of the commands that use a service. */
import { CONFIG, type Examples, VIEWPORTS } from "./help.ts";

export const LOGIN_HELP = {
  summary: "Save the URL and API key of a service",
  description:
    "Asks for the URL and API key of a service, verifies them, and saves them for your user only. SERVICE_API_URL and SERVICE_API_KEY override the saved values.",
  url: "URL of the service (default: ask for it)",
  withKeyFromStdin: "read the API key from standard input, without questions",
  examples: [
    ["vrs login", "ask for both"],
    ["vrs login --url https://vrs.example.com --with-key-from-stdin < key", "for scripts"],
  ] satisfies Examples,
};

export const LOGOUT_HELP = {
  summary: "Delete the saved URL and API key",
  description: "Deletes what `vrs login` saved. The API key stays valid until you revoke it in the service.",
  examples: [["vrs logout", "before you hand over the machine"]] satisfies Examples,
};

export const MCP_HELP = {
  summary: "Serve your runs and checks to an AI agent",
  description:
    "Runs a Model Context Protocol server on standard input and output. Agents list runs, look at changes, capture pages, compare runs, and propose ignore rules. They approve only what your API key may. The tools for the last `vrs check` need no service.",
  http: "serve streamable HTTP on this port of 127.0.0.1 instead. Each request needs an API key of the service",
  readOnly: "leave out all tools that change something",
  examples: [
    ["vrs mcp", "for agents that start their servers"],
    ["vrs mcp --read-only", "without approvals"],
    ["vrs mcp --http 4410", "at http://127.0.0.1:4410/mcp"],
  ] satisfies Examples,
};

export const UPLOAD_HELP = {
  summary: "Compare screenshots of your own tests with a service",
  description:
    "Uploads the image files of folders or globs as a build, and waits for its conclusion. Sends only images that the service doesn't have. Exits with 1 if screenshots are changed, new, removed, or rejected, and with 2 if the build failed.",
  files: "folders, globs, or files: PNG, JPEG, and WebP",
  name: "name of the build, if a commit has several. Each name has its own baselines",
  subset: "these are only some of the screenshots: report none as removed",
  parallel:
    "position and number of this CI job, such as 2/4, or auto to read them from CI. All jobs together upload one build",
  nonce: "text that is equal in all jobs of a build (default: the id of the CI workflow)",
  url: "URL of the tested site, to show it",
  dryRun: "print what would be uploaded, without sending it",
  noWait: "upload the build, and exit",
  examples: [
    ["vrs upload test-results/shots", "upload a folder, and wait"],
    ["vrs upload shots --name mobile", "one of several builds of a commit"],
    ["vrs upload shots --parallel 2/4", "from the second of four jobs"],
  ] satisfies Examples,
};

export const RUN_HELP = {
  summary: "Check a deployment with a service",
  description:
    "Submits a run to the service and waits for its conclusion. Exits with 1 if pages are changed, new, removed, or rejected, and with 2 if the run failed. The same commit and URL always give the same run, unless you add --rerun.",
  url: "URL of the deployment (default: baseUrl of the configuration)",
  archive: "folder or archive of a static site, which is sent to the service and needs no URL",
  basePath: "path under which the archive expects to be served, such as /repo-name/ (default: /)",
  storybook: "check the stories of the Storybook at the URL or in the archive (default: storybook-static)",
  tags: "check only stories with one of these tags. A tag with ! excludes stories",
  onlyChanged: "skip stories whose files are the same as for their baselines",
  notOnlyChanged: "check all stories, even if the configuration skips unchanged ones",
  routes: "comma-separated routes (default: the configuration's, or /)",
  viewports: VIEWPORTS,
  threshold: "fraction of a page's pixels that may differ, 0 to 1 (default: the configuration's, or 0.01)",
  project: "namespace of the baselines (default: the configuration's, or owner/repo)",
  branch: "branch (default: the one of CI or git)",
  start: "command that starts this application, which is stopped after the run",
  intent:
    "what should change: comma-separated routes (/pricing, /shop*), selectors (.price, #nav), and words. Other changes are marked as not intended",
  rerun: "start a new run, even if this commit has one",
  render: "where to render an application of this machine: remote (in the service)",
  noWait: "submit the run, and exit",
  timeout: "maximum minutes to wait",
  config: CONFIG,
  examples: [
    ["vrs run --url https://preview.example.com", "check a preview, and wait"],
    ["vrs run --archive dist", "check a static site without a preview"],
    ["vrs run --storybook --archive storybook-static", "check the stories of a Storybook"],
    ["vrs run --storybook --only-changed", "skip stories that didn't change"],
    ["vrs run --url http://localhost:3000 --render remote", "render a local application in the service"],
    ["vrs run --url $PREVIEW --routes /,/pricing --no-wait", "submit the run only"],
    ["vrs run --url $PREVIEW --intent /pricing,.price", "say what should change"],
    ["SERVICE_API_URL=… SERVICE_API_KEY=… vrs run", "in CI, without vrs login"],
  ] satisfies Examples,
};

export const COMPARE_HELP = {
  summary: "Compare two runs, branches, moments or folders",
  description:
    "Compares the screenshots of two sides that the service has: runs, branches, environments, or moments of a monitor. Two folders with images are compared on this machine. Exits with 1 if pages are changed, added or removed, and with 2 if a page could not be compared.",
  base: "what to compare with: RUN_ID, branch:PROJECT:BRANCH, MONITOR_ID, MONITOR_ID@TIME, LOOK_ID, or a folder",
  head: "what to compare, in the same forms",
  baseEnvironment: "environment of the base side (default: all)",
  headEnvironment: "environment of the head side (default: all)",
  route: "compare only this page",
  viewport: "compare only this viewport width, px",
  report: "write an HTML report with the images to this file",
  timeout: "maximum minutes to wait (default: 10)",
  examples: [
    ["vrs compare branch:acme/shop:main run_01k8…", "a run with the latest baselines of main"],
    [
      "vrs compare run_01k8… run_01k8… --base-environment default --head-environment dark",
      "two environments of a run",
    ],
    ["vrs compare mon_01k8…@2026-01-31 mon_01k8…", "what changed in production since a day"],
    ["vrs compare before/ after/ --report changes.html", "two folders, without a service"],
  ] satisfies Examples,
};

export const EXPORT_HELP = {
  summary: "Export a team's whole data from a service",
  description:
    "Exports projects, settings, ignore rules, baselines, runs, reviews, threads, and monitors of a team as one tar file. Needs an admin key. Secrets are left out, and the command lists them. `vrs import --from vrs` imports the file into another service.",
  file: "the file to write, such as acme.tar",
  team: "id of the team (default: the team of the API key)",
  force: "overwrite an existing file",
  examples: [["vrs export acme.tar", "export the team of the API key"]] satisfies Examples,
};
