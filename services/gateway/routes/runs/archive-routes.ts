import { archive, archiveQuery } from "../../../../shared/contracts/builds/archives.ts";
import { serveArchiveUpload } from "../../handlers/serve-archive-upload.ts";
import { actionRoute, type Route, servedRoute } from "../route.ts";

/** Routes for archives: static sites that the service shows to its own renderers. */
export const ARCHIVE_ROUTES: Record<string, Route> = {
  "POST /v1/archives": servedRoute({
    role: "reviewer",
    allowsUploadKeys: true,
    summary:
      "Upload a static site as a zip, tar or tar.gz file. A run can then name it as its `archive`. Equal files are stored once",
    query: archiveQuery,
    rawBody: "application/octet-stream",
    hasLongBody: true,
    answers: { 201: archive, 200: archive },
    serve: serveArchiveUpload,
  }),
  "GET /v1/archives/:id": actionRoute("runs.archive", {
    role: "reviewer",
    allowsUploadKeys: true,
    summary: "Get an archive of a project. It is then kept for at least a day",
    query: archiveQuery,
    answers: { 200: archive },
    input: ({ params: { id = "" }, query: { project } }) => ({ project, id }),
  }),
};
