/**
 * `service.config.ts` of a project that has none yet. It imports nothing, so that it works where vrs is no dependency of
 * the project, too.
 */
export const STARTER_CONFIG = `/** What the visual checks look at. */
const config = {
  /** Where the application is while you work on it. */
  baseUrl: "http://localhost:3000",
  /** Pages, as paths that start with /. */
  routes: ["/"],
  /** Widths of the browser's window, px. */
  viewports: [375, 768, 1440],
  /** Share of a page's pixels that may differ: 0.01 is 1 %. */
  threshold: 0.01,
};

export default config;
`;
