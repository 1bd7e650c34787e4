import { serveDocs, serveDocsFile } from "../openapi/serve-docs.ts";
import type { Route } from "./route.ts";

const file = (summary: string): Route => ({
  role: "public",
  summary,
  answers: { 200: "text/html" },
  serve: serveDocsFile,
});

/** Routes of the docs. */
export const DOCS_ROUTES: Record<string, Route> = {
  "GET /docs": {
    role: "public",
    summary: "Show the documentation, or the API reference if the site is not built",
    answers: { 200: "text/html" },
    serve: serveDocs,
  },
  "GET /docs/:first": file("A page or file of the docs"),
  "GET /docs/:first/:second": file("A page or file in a section of the docs"),
  "GET /docs/:first/:second/:third": file("A script of the docs"),
};
