/** How every page is shown, whatever it is: what a page finds out of its reader must never change. */
export const PAGE_SETTINGS = {
  deviceScaleFactor: 1,
  locale: "en-US",
  timezoneId: "UTC",
  reducedMotion: "reduce",
  colorScheme: "light",
  serviceWorkers: "block",
  acceptDownloads: false,
} as const;
