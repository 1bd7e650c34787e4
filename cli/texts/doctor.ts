/** `vrs doctor`: what it finds, and how to fix it. */
import { count, figure } from "../../shared/text/format.ts";

export const DOCTOR_TEXTS = {
  names: {
    node: "Node",
    git: "Git",
    disk: "Disk",
    browser: "Browser",
    sandbox: "Sandbox",
    fonts: "Fonts",
    configuration: "Configuration",
    application: "Application",
    baselines: "Baselines",
    lfs: "Git LFS",
    manifest: "Manifest",
    environment: "Environment",
    service: "Service",
  },
  errors: (errors: number) => `${count(errors, "problem")} to fix before \`vrs check\` can run.`,
  warnings: (warnings: number) => `\`vrs check\` can run, with ${count(warnings, "warning")}.`,
  ok: "Everything works.",
  sandboxOn: "on",
  sandboxOff: "off: this machine doesn't allow browser sandboxes",
  fixSandbox:
    "You can ignore this for pages that you trust. Otherwise, don't run as root, and allow unprivileged user namespaces.",
  fontsFound: "found for all tested scripts",
  fontsMissing: (scripts: readonly string[]) =>
    `missing for ${scripts.join(", ")}: their text is rendered as boxes`,
  fixFonts:
    "If your pages use these scripts, install fonts, such as with `apt-get install fonts-noto fonts-noto-cjk fonts-noto-color-emoji`.",
  gitMissing: "not found",
  fixGit: "Install git. Without it, vrs can't read the baselines of other branches.",
  noRepository: (folder: string) => `${folder} is not in a repository`,
  fixRepository: "Keep baselines with your code: run `git init`.",
  diskFree: (gib: number) => `${gib.toFixed(1)} GiB free`,
  diskLow: (mib: number) => `${figure(mib)} MiB free`,
  fixDisk: (mib: number) => `Free up space: reports and the browser need about ${figure(mib)} MiB.`,
  configuration: (file: string, shots: number, routes: number) =>
    `${file}: ${count(shots, "screenshot")} of ${count(routes, "route")}`,
  responds: (url: string) => `responds at ${url}`,
  noResponse: (url: string, why: string) => `no response from ${url}: ${why}`,
  fixApplication: 'Start it before a check, or let vrs start it: vrs check --start "npm run dev".',
  baselines: (baselines: number, folder: string) => `${figure(baselines)} in ${folder}`,
  noBaselines: (folder: string) => `none in ${folder}`,
  fixBaselines: "Run `vrs check`, then `vrs approve`.",
  pointers: (baselines: number) =>
    baselines === 1
      ? "1 baseline is only a Git LFS pointer"
      : `${figure(baselines)} baselines are only Git LFS pointers`,
  fixPointers: "Run `git lfs pull`.",
  unlisted: (baselines: number) =>
    `${count(baselines, "baseline")} ${baselines === 1 ? "doesn't" : "don't"} match the manifest`,
  fixUnlisted: "vrs compares them by their pixels. To update the manifest, approve them again.",
  otherEnvironment: (theirs: readonly string[], ours: string) =>
    `baselines were captured with ${theirs.join(", ")}; this machine has ${ours}`,
  environment: (browser: string | null, platform: string) => `${browser ?? "no browser"} on ${platform}`,
  fixEnvironment: "Text may be rendered differently. Capture baselines where you run checks, such as in CI.",
  noService: "none (`vrs check` needs none)",
  service: (url: string, team: string | null) =>
    `${url} accepts the API key${team === null ? "" : `, team ${team}`}`,
  rejectedKey: (url: string) => `${url} rejected the API key`,
  fixKey: "Run `vrs login`, or set another SERVICE_API_KEY.",
  fixService: "`vrs run` and `vrs upload` need the service. `vrs check` doesn't.",
};
