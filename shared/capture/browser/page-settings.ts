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
