import { callerAction } from "../../shared/contracts/bus.ts";
import { admitArchive, findArchive, getArchive, recordArchive } from "./archives/manage-archives.ts";
import { findAttachment, recordAttachment } from "./attachments/record-attachment.ts";
import { addShard } from "./builds/add-screenshots.ts";
import { getBuild } from "./builds/build-views.ts";
import { createBuild } from "./builds/create-build.ts";
import { finalizeBuild } from "./builds/finalize-build.ts";
import { findUpload, recordUpload } from "./builds/record-upload.ts";
import type { RunsContext } from "./runs-context.ts";

/** Actions of builds and archives, whose files clients upload. */
export const uploadActions = {
  createBuild: callerAction("runs.createBuild", createBuild),
  build: callerAction("runs.build", (context: RunsContext, caller, { id }) => getBuild(context, caller, id)),
  addShard: callerAction("runs.addShard", addShard),
  finalizeBuild: callerAction("runs.finalizeBuild", finalizeBuild),
  findUpload: callerAction("runs.findUpload", findUpload),
  recordUpload: callerAction("runs.recordUpload", recordUpload),
  findAttachment: callerAction("runs.findAttachment", findAttachment),
  recordAttachment: callerAction("runs.recordAttachment", recordAttachment),
  archive: callerAction("runs.archive", getArchive),
  findArchive: callerAction("runs.findArchive", findArchive),
  admitArchive: callerAction("runs.admitArchive", admitArchive),
  recordArchive: callerAction("runs.recordArchive", recordArchive),
};
