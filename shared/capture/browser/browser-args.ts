import { statfs } from "node:fs/promises";

/**
 * What of Chromium is off. It heeds the last `--disable-features` alone, so that Playwright's own list is repeated
 * here, and ours follows it.
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
  // Every page of a site would get a frame and a compositor of its own instead of its predecessor's: a sixth more work.
  "RenderDocument",
];

/** Likewise Blink's settings: Playwright's make a desktop with a mouse of a browser without a window. */
const BLINK_SETTINGS = [
  "primaryHoverType=2",
  "availableHoverTypes=2",
  "primaryPointerType=4",
  "availablePointerTypes=4",
  // Animated images stay at their first frame.
  "imageAnimationPolicy=2",
  "mainFrameClipsContent=false",
];

/** Playwright's argument that has the browser's processes share memory through files of the temporary folder. */
const WITHOUT_SHM = "--disable-dev-shm-usage";
/** The largest page that is taken needs some 650 MiB there; containers have 64 unless told otherwise. */
const ROOMY_SHM_BYTES = 2 * 1024 ** 3;

/**
 * Chromium itself resolves no names: the proxy does that for all that goes through it. What does not, such as WebRTC's
 * servers and candidates, or names that a page has looked up ahead, would otherwise reach the system's resolver.
 */
const NO_NAMES = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/**
 * Returns what Chromium is started with beside Playwright's own arguments.
 * @param heapMiB what a page's scripts may use
 * @param direct whether pages are loaded without the proxy
 */
export function browserArgs({ heapMiB, direct = false }: { heapMiB: number; direct?: boolean }): string[] {
  return [
    ...(direct ? [] : [NO_NAMES]),
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    `--disable-features=${DISABLED_FEATURES.join(",")}`,
    `--blink-settings=${BLINK_SETTINGS.join(",")}`,
    `--js-flags=--max-old-space-size=${heapMiB}`,
    "--font-render-hinting=none",
    // Coloured edges of letters depend on which layer a box happens to be painted on.
    "--disable-lcd-text",
    // Parts painted over older ones come out a shade beside what painting all at once gives.
    "--disable-partial-raster",
    // Images are there in the frame that shows them, and not some frames later.
    "--disable-checker-imaging",
    // A frame is drawn when all of it is ready, and not at a deadline: that is of the wall's clock, and a page's clock
    // that stands still would never reach it.
    "--run-all-compositor-stages-before-draw",
  ];
}

/**
 * Which of Playwright's own arguments Chromium is started without. Pictures of pages go from process to process in
 * shared memory: in /dev/shm they never reach a disk.
 */
export async function leftOutArgs(folder = "/dev/shm"): Promise<string[]> {
  const shm = await statfs(folder).catch(() => null);
  return shm !== null && shm.bavail * shm.bsize >= ROOMY_SHM_BYTES ? [WITHOUT_SHM] : [];
}
