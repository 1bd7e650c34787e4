/** The help of vrs and of each command. Shells show the same texts beside completions. */

/** A call and its purpose. */
export type Examples = [call: string, purpose: string][];

export const CONFIG = "configuration file (default: the nearest service.config.ts)";
const ROUTES = "routes or globs of routes, or names of screenshots (default: all)";
export const VIEWPORTS = "comma-separated widths, px (default: the configuration's, or 1280)";

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
  prove: "prove which changed file causes each difference, by capturing the page with the old files",
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
  notOnlyChanged: "check all stories, even if the configuration skips unchanged ones",
  config: CONFIG,
  name: "name of the baselines, for several Storybooks (default: storybook)",
  viewports: VIEWPORTS,
  threshold: "fraction of the pixels that may differ, 0 to 1 (default: the configuration's, or 0.01)",
  width: "check only these widths",
  env: 'check only these modes; "default" is the one without a name',
  branch: "compare with the baselines of this branch, tag, or commit",
  concurrency: "pages to capture in parallel (default: 1.5 for each core)",
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
  summary: "Import the baselines of another tool, or an exported team",
  description:
    "Copies the baselines of Playwright, BackstopJS, reg-suit, or Lost Pixel into your repository. Their files give the names and the widths. Baselines that differ are replaced. To compare new screenshots of that tool, use `vrs check --screenshots <folder> --naming <tool>`. With `--from vrs`, imports the file of `vrs export` into a team of a service.",
  folder: "folder of the other tool's baselines, such as .lostpixel/baseline, or the exported file",
  from: "the other tool: playwright, backstop, reg-suit, or lost-pixel. Or vrs for an exported team",
  existing: "what to do with projects that the team already has: refuse, rename, or skip (default: refuse)",
  settings: "use the exported team's settings for reviews and links",
  members: "invite the members of the exported team",
  team: "id of the team (default: the team of the API key)",
  name: "name of the set of baselines, such as components",
  dryRun: "print what would be imported, without writing it",
  examples: [
    ["vrs import --from playwright tests", "import snapshots of toHaveScreenshot"],
    ["vrs import --from backstop backstop_data/bitmaps_reference", ""],
    ["vrs import --from reg-suit .reg/expected", ""],
    ["vrs import --from lost-pixel .lostpixel/baseline", ""],
    ["vrs import --from vrs acme.tar", "import an exported team into a service"],
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
