import { statfs } from "node:fs/promises";

/**
 * The Chromium features that are off. Chromium reads only the last `--disable-features`. So this list repeats
 * Playwright's own and adds ours.
 */
const DISABLED_FEATURES = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "msForceBrowserSignIn",
  "msEdgeUpdateLaunchServicesPreferredVersion",
  // With it, every page of a site gets a new frame and a new compositor, which costs a sixth more work.
  "RenderDocument",
];

/** They make a headless browser a desktop with a mouse. */
const PLAYWRIGHTS_BLINK_SETTINGS = [
  "primaryHoverType=2",
  "availableHoverTypes=2",
  "primaryPointerType=4",
  "availablePointerTypes=4",
];
/** Draws the page beyond its window, so that a capture needn't resize it. */
const DRAWS_BEYOND_WINDOW = "mainFrameClipsContent=false";
const BLINK_ARGUMENT = "--blink-settings=";

/** The Blink settings. Chromium reads only the last list here too. */
const BLINK_SETTINGS = [
  ...PLAYWRIGHTS_BLINK_SETTINGS,
  // Animated images stay at their first frame.
  "imageAnimationPolicy=2",
  DRAWS_BEYOND_WINDOW,
];

/** Playwright's argument that makes the browser's processes share memory through files in the temporary folder. */
const WITHOUT_SHM = "--disable-dev-shm-usage";
/** The largest screenshot needs about 650 MiB there. Containers have 64 MiB by default. */
const MIN_SHM_BYTES = 2 * 1024 ** 3;

/**
 * Chromium resolves no names itself: the proxy resolves the names of everything that it forwards. WebRTC servers and
 * candidates, and names that a page prefetches, bypass the proxy. Without this argument, they would reach the system's
 * resolver.
 */
const NO_NAMES = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/** Settings of every page. They are fixed, because what a page detects about its reader must never change. */
export const PAGE_SETTINGS = {
  deviceScaleFactor: 1,
  locale: "en-US",
  timezoneId: "UTC",
  reducedMotion: "reduce",
  colorScheme: "light",
  serviceWorkers: "block",
  acceptDownloads: false,
} as const;

/**
 * Returns the arguments that Chromium starts with in addition to Playwright's own.
 * @param heapMiB the heap limit of a page's scripts
 * @param direct whether pages load without the proxy
 */
export function browserArgs({ heapMiB, direct = false }: { heapMiB: number; direct?: boolean }): string[] {
  return [
    ...(direct ? [] : [NO_NAMES]),
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    `--disable-features=${DISABLED_FEATURES.join(",")}`,
    BLINK_ARGUMENT + BLINK_SETTINGS.join(","),
    // A script that the page has run before is only compiled again if it is compiled while it loads.
    `--js-flags=--max-old-space-size=${heapMiB} --no-script-streaming`,
    "--font-render-hinting=none",
    // The colored edges of letters depend on the layer that a box happens to be painted on.
    "--disable-lcd-text",
    // Parts that are painted over older ones get a slightly different shade than parts painted all at once.
    "--disable-partial-raster",
    // Images appear in the frame that shows them, not some frames later.
    "--disable-checker-imaging",
    // A frame is drawn when all of it is ready, not at a deadline. The deadline belongs to the wall clock, and a paused
    // page clock would never reach it.
    "--run-all-compositor-stages-before-draw",
  ];
}

/**
 * Returns which of Playwright's own arguments Chromium starts without. Images of pages go from process to process in
 * shared memory. In /dev/shm, they never reach a disk.
 */
export async function omittedArgs(folder = "/dev/shm"): Promise<string[]> {
  const shm = await statfs(folder).catch(() => null);
  return shm !== null && shm.bavail * shm.bsize >= MIN_SHM_BYTES ? [WITHOUT_SHM] : [];
}

/**
 * Adds to the arguments of a user's Chromium what `vrsScreenshot` needs to capture beyond the window without resizing
 * the page.
 */
export function withWholePage(args: readonly string[]): string[] {
  const own = args.findLast(arg => arg.startsWith(BLINK_ARGUMENT));
  if (own?.includes(DRAWS_BEYOND_WINDOW)) return [...args];
  const settings = own?.slice(BLINK_ARGUMENT.length).split(",") ?? PLAYWRIGHTS_BLINK_SETTINGS;
  return [...args, BLINK_ARGUMENT + [...settings, DRAWS_BEYOND_WINDOW].join(",")];
}

/** Returns whether a Chromium with this command line draws pages beyond their windows. */
export function drawsBeyondWindow(commandLine: string): boolean {
  return (
    commandLine
      .slice(commandLine.lastIndexOf(BLINK_ARGUMENT))
      .split(" ", 1)[0]
      ?.includes(DRAWS_BEYOND_WINDOW) === true
  );
}
