/** `service.config.ts` of a project that has none yet. */
export const STARTER_CONFIG = `import { defineConfig } from "vrs";

export default defineConfig({
  // Where the application listens while you develop.
  baseUrl: "http://localhost:3000",
  routes: ["/"],
  viewports: [375, 768, 1440],
  // Fraction of changed pixels that is still unchanged: 0.01 is 1 %.
  threshold: 0.01,
});
`;
