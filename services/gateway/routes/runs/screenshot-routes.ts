import { proofSchema } from "../../../../shared/contracts/runs/proof.ts";
import { reportQuery } from "../../../../shared/contracts/runs/runs.ts";
import { listScreenshotsQuery, screenshotList } from "../../../../shared/contracts/runs/screenshots.ts";
import { imageQuery } from "../../../../shared/contracts/runs/thumbnails.ts";
import { serveArchiveSite } from "../../handlers/serve-archive-site.ts";
import { serveImage } from "../../handlers/serve-image.ts";
import { serveReport } from "../../handlers/serve-report.ts";
import { serveScreenshots } from "../../handlers/serve-screenshots.ts";
import { actionRoute, type Route, servedRoute } from "../route.ts";

/** Routes of screenshots, their images and sites, and of reports. */
export const SCREENSHOT_ROUTES: Record<string, Route> = {
  "GET /v1/reports/:id": {
    role: "link",
    summary: "Get the HTML report of a run",
    query: reportQuery,
    answers: { 200: "text/html" },
    serve: serveReport,
  },
  "GET /v1/screenshots/:runId": {
    role: "viewer",
    allowsUploadKeys: true,
    summary: "List the screenshots of a run with their metadata",
    query: listScreenshotsQuery,
    answers: { 200: screenshotList },
    serve: serveScreenshots,
  },
  "POST /v1/screenshots/:id/prove": actionRoute("runs.prove", {
    role: "reviewer",
    summary:
      "Prove which file causes a screenshot's change: capture the page with files of its baseline. It continues after the response, and counts as a run with one screenshot",
    answers: { 202: proofSchema },
    input: ({ params: { id = "" } }) => ({ id }),
    status: () => 202,
  }),
  "GET /v1/sites/:team/:signature/*path": {
    role: "signed",
    summary:
      "Get a file of a run's archive, for people who open a story. A screenshot's `story` has the link",
    answers: { 200: "*/*" },
    serve: serveArchiveSite,
  },
  "GET /v1/images/:team/:signature/:file": servedRoute({
    role: "signed",
    summary: "Get an image, or with `w` its WebP thumbnail. The screenshot's metadata has the link",
    query: imageQuery,
    answers: { 200: "image/png" },
    serve: serveImage,
  }),
};
