/** The help of vrs and of each command. Shells show the same texts beside completions. */

/** A call and its purpose. */
type Examples = [call: string, purpose: string][];

const CONFIG = "configuration file (default: the nearest service.config.ts)";
const ROUTES = "routes or globs of routes, or names of screenshots (default: all)";
const VIEWPORTS = "comma-separated widths, px (default: the configuration's, or 1280)";

export const PROGRAM_HELP = {
  description:
    "Visual regression testing: captures screenshots of your pages, compares them with approved baselines, and shows what changed.",
  version: "print the version",
  help: "print the help of vrs or of a command",
  helpCommand: "Print the help of a command",
  json: "print the result as JSON, and nothing else, to standard output",
  quiet: "print only changes and errors",
  verbose: "print details",
  noColor: "print without colors, like NO_COLOR=1",
  globalOptions: "Options of every command:",
  examplesTitle: "Examples:",
  choicesAndDefault: (notes: readonly string[]) => `(${notes.join("; ")})`,
  default: (value: unknown) => `default: ${value}`,
  groups: {
    local: "Test against baselines in your repository:",
    live: "Monitor live pages:",
    service: "Use a service:",
    setup: "Set up and troubleshoot:",
  },
  examples: [
    ["vrs init", "create the configuration"],
    ['vrs check --start "npm run dev"', "capture the pages, compare them"],
    ["vrs approve", "make the new screenshots the baselines"],
  ] satisfies Examples,
};

export const APPROVE_HELP = {
  summary: "Make the last check's screenshots the baselines",
  description:
    "Makes the changed and new screenshots of the last check the baselines, and deletes the baselines of removed pages. Minor changes need --minor. Commit the files that it writes.",
  routes: ROUTES,
  config: CONFIG,
  width: "approve only these widths",
  env: "approve only these environments, such as default or dark",
  group: "approve only this change, by the start of its fingerprint",
  minor: "also approve minor changes, which are within the threshold",
  dryRun: "print what would change, without changing it",
  force: "approve even if the commit, the configuration, or a baseline changed since the check",
  examples: [
    ["vrs approve", "approve everything that the last check found"],
    ['vrs approve /pricing "/blog/**"', "approve only these routes"],
    ["vrs approve --width 375", "approve only this width"],
    ["vrs approve --group 4be1", "approve one change on all its pages"],
    ["vrs approve --minor", "approve minor changes too"],
    ["vrs approve --dry-run", "print what would change"],
  ] satisfies Examples,
};

export const CHECK_HELP = {
  summary: "Compare your pages or screenshots with their baselines",
  description:
    "Captures the configured pages and compares them with the baselines in your repository. With --screenshots, it compares image files of your own tests instead, without a browser. It never changes baselines: use `vrs approve`. Exits with 0 if nothing changed, with 1 if pages are changed, new, or removed, and with 2 on errors.",
  routes: ROUTES,
  config: CONFIG,
  url: "URL of the application (default: VRS_URL, or baseUrl of the configuration)",
  start: "command that starts the application, which is stopped after the check",
  startTimeout: "maximum time until the application responds (default: 60)",
  screenshots:
    "compare the PNG, JPEG, and WebP files of this folder or glob instead of pages. You can repeat this option",
  name: "name of the set of baselines for --screenshots, such as components",
  naming:
    "tool that named the files: playwright, backstop, reg-suit, or lost-pixel (default: names are paths)",
  subset: "the files of --screenshots are only some of the screenshots: report none as removed",
  threshold:
    "fraction of the pixels that may differ with --screenshots, 0 to 1 (default: the configuration's, or 0.01)",
  width: "check only these widths",
  env: 'check only these environments; "default" is the one without settings',
  branch: "compare with the baselines of this branch, tag, or commit",
  concurrency: "pages to capture in parallel (default: the number of cores)",
  recordHar: "record the HAR files of network rules, in place of replaying them",
  watch: "check again when files of the project change, until stopped",
  noReport: "don't write the HTML report",
  junit: "also write the result as a JUnit file",
  output: "also write the result as JSON",
  examples: [
    ["vrs check", "check all pages of service.config.ts"],
    ['vrs check /pricing "/blog/**"', "check only these routes"],
    ["vrs check --width 375,1440", "check only these widths"],
    ['vrs check --start "npm run dev"', "start the application for the check"],
    ["vrs check --watch", "check again after each change"],
    ["vrs check --url https://staging.example", "check the pages at another URL"],
    ["vrs check --screenshots test-results/shots", "compare screenshots of your own tests"],
  ] satisfies Examples,
};

export const STORYBOOK_HELP = {
  summary: "Test the stories of a Storybook",
  description:
    "Captures the stories of a Storybook, compares them with the baselines in your repository, and reports changes. Exits with 0 if nothing changed, 1 if something did, and 2 if a story failed.",
  where: "folder of a build, or URL of a Storybook (default: storybook-static)",
  build: "build the Storybook first, with a script of package.json (default: build-storybook)",
  story: 'check only this story or glob, such as "Forms/**". It can be repeated',
  tags: "check only stories with one of these tags. A tag with ! excludes stories",
  onlyChanged: "skip stories whose files are the same as for their baselines",
  config: CONFIG,
  name: "name of the baselines, for several Storybooks (default: storybook)",
  viewports: VIEWPORTS,
  threshold: "fraction of the pixels that may differ, 0 to 1 (default: the configuration's, or 0.01)",
  width: "check only these widths",
  env: 'check only these modes; "default" is the one without a name',
  branch: "compare with the baselines of this branch, tag, or commit",
  concurrency: "pages to capture in parallel (default: the number of cores)",
  noReport: "don't write the HTML report",
  junit: "also write the result as a JUnit file",
  output: "also write the result as JSON",
  examples: [
    ["vrs storybook --build", "build the Storybook, and check all stories"],
    ["vrs storybook dist/storybook", "check a build"],
    ["vrs storybook http://localhost:6006", "check a running Storybook"],
    ['vrs storybook --story "Forms/**"', "check only these stories"],
    ["vrs storybook --only-changed", "skip stories that didn't change"],
    ['vrs storybook --tags "!experimental"', "leave out stories with this tag"],
  ] satisfies Examples,
};

export const COMPLETION_HELP = {
  summary: "Print a completion script for your shell",
  description:
    "Prints a script that lets your shell complete commands, options, and the routes of the last check.",
  shell: "shell to complete in (default: the current one)",
  routes: "print the routes of the last check",
  examples: [
    ["vrs completion bash > ~/.local/share/bash-completion/completions/vrs", ""],
    ["vrs completion zsh > ~/.zfunc/_vrs", "in a folder of $fpath"],
    ["vrs completion fish > ~/.config/fish/completions/vrs.fish", ""],
  ] satisfies Examples,
};

export const DEV_HELP = {
  summary: "Review the screenshots of your tests while they run",
  description:
    "Starts a review page on this machine. Adapters such as vrs/playwright find it, and send each screenshot as the tests make it. The page shows differences from the baselines in your repository at once, and approves with one key. Stop it with Ctrl+C.",
  name: "name of the set of baselines, such as components",
  threshold: "fraction of the pixels that may differ, 0 to 1 (default: the configuration's, or 0.01)",
  port: "port of the review page (default: any free one)",
  noOpen: "don't open the page in your browser",
  examples: [
    ["vrs dev", "start the page, then run your tests"],
    ["vrs dev --branch origin/main", "compare with the baselines of a branch"],
  ] satisfies Examples,
};

export const DOCTOR_HELP = {
  summary: "Find problems with your setup",
  description:
    "Checks the browser, fonts, configuration, application, baselines, and service, and prints how to fix each problem. Exits with 2 if `vrs check` can't run here.",
  config: CONFIG,
  examples: [
    ["vrs doctor", "print what works and what doesn't"],
    ["vrs doctor --json", "print the same for a script"],
  ] satisfies Examples,
};

export const IMPORT_HELP = {
  summary: "Import the baselines of another tool",
  description:
    "Copies the baselines of Playwright, BackstopJS, reg-suit, or Lost Pixel into your repository. Their files give the names and the widths. Baselines that differ are replaced. To compare new screenshots of that tool, use `vrs check --screenshots <folder> --naming <tool>`.",
  folder: "folder of the other tool's baselines, such as .lostpixel/baseline",
  from: "the other tool: playwright, backstop, reg-suit, or lost-pixel",
  name: "name of the set of baselines, such as components",
  dryRun: "print what would be imported, without writing it",
  examples: [
    ["vrs import --from playwright tests", "import snapshots of toHaveScreenshot"],
    ["vrs import --from backstop backstop_data/bitmaps_reference", ""],
    ["vrs import --from reg-suit .reg/expected", ""],
    ["vrs import --from lost-pixel .lostpixel/baseline", ""],
  ] satisfies Examples,
};

export const INIT_HELP = {
  summary: "Create service.config.ts and a workflow",
  description:
    "Creates service.config.ts and a workflow for pull requests, based on package.json. On a terminal, it asks you first.",
  baseUrl: "URL of the application during development",
  action: "repository of the action that the workflow runs",
  noWorkflow: "don't create a workflow",
  yes: "don't ask questions",
  force: "overwrite existing files",
  examples: [
    ["vrs init", "ask for the URL, routes, widths, and threshold"],
    ["vrs init --yes --no-workflow", "create only the configuration, without questions"],
  ] satisfies Examples,
};

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

export const MONITOR_HELP = {
  summary: "Monitor live pages and alert on visual changes",
  description:
    "Captures live pages and compares each with its baseline, the first capture. Exits with 1 if a page differs by more than the threshold, and with 2 if a page is down. The history is a local folder: you need no service.",
  url: "comma-separated URLs to monitor (default: those of the monitor plugin)",
  threshold: "percentage of a page that may differ before an alert, 0 to 100 (default: the plugin's, or 5)",
  webhook:
    "send alerts to this URL: Slack, Discord, Teams, Google Chat, or any that accepts JSON (default: the plugin's)",
  interval: "run until stopped, with a check at this interval",
  watch: "check every two seconds while you work",
  history: "print the results of earlier checks, and exit",
  limit: "number of history entries to print",
  historyDir: "folder of the history (default: the plugin's, or .service/monitor-history)",
  historyChangesOnly: "store a check only if its result differs from the check before it",
  viewports: VIEWPORTS,
  accept: "make the current screenshots the baselines",
  prune:
    "delete older history: keep 30d (or 12h, 4w), or the newest 500 entries of each URL. To also check, add --interval or --watch",
  config: CONFIG,
  examples: [
    ["vrs monitor -u https://example.com/", "the first check creates the baseline"],
    ["vrs monitor -u https://example.com/ --interval 15 --webhook $HOOK", "check and alert a chat"],
    ["vrs monitor -u http://localhost:3000/ --watch -t 0", "see the effect of each edit"],
    ["vrs monitor --history --limit 50", "print earlier results"],
    ["vrs monitor --accept", "update the baselines"],
  ] satisfies Examples,
};

export const REPORT_HELP = {
  summary: "Open the report of the last check",
  description:
    "Opens the report of the last check in your browser. Without a terminal, or with --path, prints its path.",
  path: "print the path, without opening the report",
  opened: (path: string) => `Opened ${path}`,
  examples: [
    ["vrs report", "open the report"],
    ["tar czf report.tgz .service", "pack the report with its images"],
  ] satisfies Examples,
};

export const SCHEMA_HELP = {
  summary: "Print the JSON schema of a command's --json result",
  description:
    "Prints the JSON schema of a command's result with --json. Its $id ends with the version of the format. Without a name, it lists all names.",
  name: "name of a command, or error for the document of an error",
  unknown: (name: string, names: readonly string[]) =>
    `There is no schema "${name}". Choose one of these: ${names.join(", ")}.`,
  examples: [
    ["vrs schema check", "print the schema of vrs check --json"],
    ["vrs schema", "list the schemas"],
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
  report: "write an HTML report with all images to this file",
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

export const RUN_HELP = {
  summary: "Check a deployment with a service",
  description:
    "Submits a run to the service and waits for its conclusion. Exits with 1 if pages are changed, new, or rejected, and with 2 if the run failed. The same commit and URL always give the same run, unless you add --rerun.",
  url: "URL of the deployment (default: baseUrl of the configuration)",
  archive: "folder or archive of a static site, which is sent to the service and needs no URL",
  routes: "comma-separated routes (default: the configuration's, or /)",
  viewports: VIEWPORTS,
  threshold: "fraction of a page's pixels that may differ, 0 to 1 (default: the configuration's, or 0.01)",
  project: "namespace of the baselines (default: the configuration's, or owner/repo)",
  branch: "branch (default: the one of CI or git)",
  start: "command that starts this application, which is stopped after the run",
  rerun: "start a new run, even if this commit has one",
  render: "where to render an application of this machine: remote (in the service)",
  noWait: "submit the run, and exit",
  timeout: "maximum minutes to wait",
  config: CONFIG,
  examples: [
    ["vrs run --url https://preview.example.com", "check a preview, and wait"],
    ["vrs run --archive dist", "check a static site without a preview"],
    ["vrs run --url http://localhost:3000 --render remote", "render a local application in the service"],
    ["vrs run --url $PREVIEW --routes /,/pricing --no-wait", "submit the run only"],
    ["SERVICE_API_URL=… SERVICE_API_KEY=… vrs run", "in CI, without vrs login"],
  ] satisfies Examples,
};
