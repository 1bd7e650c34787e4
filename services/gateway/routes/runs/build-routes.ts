import { uploadedAttachment } from "../../../../shared/contracts/builds/attachments.ts";
import * as builds from "../../../../shared/contracts/builds/builds.ts";
import { newId } from "../../../../shared/ids.ts";
import { serveAttachment } from "../../handlers/attachments/serve-attachment.ts";
import { serveAttachmentUpload } from "../../handlers/uploads/serve-attachment-upload.ts";
import { serveUpload } from "../../handlers/uploads/serve-upload.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for builds, whose screenshots users upload. */
export const BUILD_ROUTES: Record<string, Route> = {
  "POST /v1/builds": actionRoute("runs.createBuild", {
    role: "reviewer",
    allowsUploadKeys: true,
    summary: "Create a build of uploaded screenshots, or join the one with the same nonce",
    body: builds.createBuildBody,
    idempotent: true,
    answers: { 202: builds.build },
    input: ({ body, idempotencyKey }) => ({ id: newId("run"), body, idempotencyKey }),
  }),
  "GET /v1/builds/:id": actionRoute("runs.build", {
    role: "viewer",
    allowsUploadKeys: true,
    summary: "Get a build with up to 500 images that it still needs. `GET /v1/runs/:id` has its result",
    answers: { 200: builds.build },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/builds/:id/shards": actionRoute("runs.addShard", {
    role: "reviewer",
    allowsUploadKeys: true,
    summary: "List more screenshots of a build. Can be repeated",
    body: builds.addShardBody,
    answers: { 200: builds.build },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "PUT /v1/builds/:id/images/:hash": {
    role: "reviewer",
    allowsUploadKeys: true,
    summary: "Upload an image of a build under its SHA-256: a PNG, JPEG or WebP file of at most 32 MiB",
    rawBody: "image/*",
    hasLongBody: true,
    answers: { 200: builds.uploadedImage },
    serve: serveUpload,
  },
  "PUT /v1/builds/:id/attachments/:hash": {
    role: "reviewer",
    allowsUploadKeys: true,
    summary:
      "Upload an attachment that a build wants under its SHA-256. It is a zip file or UTF-8 text of at most 64 MiB",
    rawBody: "application/octet-stream",
    hasLongBody: true,
    answers: { 200: uploadedAttachment },
    serve: serveAttachmentUpload,
  },
  "POST /v1/builds/:id/finalize": actionRoute("runs.finalizeBuild", {
    role: "reviewer",
    allowsUploadKeys: true,
    summary: "Finalize a shard or a build. Once a build is complete, its screenshots are compared",
    body: builds.finalizeBuildBody,
    answers: { 200: builds.build },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "GET /v1/attachments/:team/:signature/:hash/:file": {
    role: "signed",
    summary: "Get an attachment of a screenshot. The screenshot's metadata has the link",
    answers: { 200: "application/octet-stream" },
    serve: serveAttachment,
  },
};
