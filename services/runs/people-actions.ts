import type { Service } from "moleculer";
import { action, callerAction, NO_RETRY } from "../../shared/contracts/bus.ts";
import { changeComment, createComment, deleteComment, listComments } from "./comments/manage-comments.ts";
import {
  deleteMirroredReply,
  putMirroredReply,
  readMirroredThreads,
  resolveMirroredThread,
} from "./comments/mirror-threads.ts";
import { readInbox } from "./inbox/read-inbox.ts";
import {
  putReviewerRules,
  putReviewers,
  readReviewerRules,
  readReviewers,
} from "./people/manage-reviewers.ts";
import { readDigest } from "./people/read-digest.ts";
import type { RunsContext } from "./runs-context.ts";

interface WithContext extends Service {
  context: RunsContext;
}

/** Actions for people who review together: comments, reviewers, the inbox and digests. */
export const peopleActions = {
  comments: callerAction("runs.comments", listComments),
  createComment: callerAction("runs.createComment", createComment),
  changeComment: callerAction("runs.changeComment", changeComment),
  deleteComment: callerAction(
    "runs.deleteComment",
    (context: RunsContext, caller, { id }) => deleteComment(context, caller, id),
    NO_RETRY,
  ),
  mirroredThreads: action("runs.mirroredThreads", function (this: WithContext, params) {
    return readMirroredThreads(this.context, params);
  }),
  putMirroredReply: action("runs.putMirroredReply", function (this: WithContext, reply) {
    return putMirroredReply(this.context, reply);
  }),
  resolveMirroredThread: action("runs.resolveMirroredThread", function (this: WithContext, params) {
    return resolveMirroredThread(this.context, params);
  }),
  deleteMirroredReply: action("runs.deleteMirroredReply", function (this: WithContext, params) {
    return deleteMirroredReply(this.context, params);
  }),
  reviewers: callerAction("runs.reviewers", readReviewers),
  putReviewers: callerAction("runs.putReviewers", putReviewers),
  reviewerRules: callerAction("runs.reviewerRules", readReviewerRules),
  putReviewerRules: callerAction("runs.putReviewerRules", putReviewerRules),
  inbox: callerAction("runs.inbox", readInbox),
  digest: action("runs.digest", function (this: WithContext, params) {
    return readDigest(this.context, params);
  }),
};
