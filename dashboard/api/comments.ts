import type {
  ChangeComment,
  CommentList,
  CommentView,
  CreateComment,
} from "../../shared/contracts/reviews/comments.ts";
import { requestJson } from "./request.ts";

const ofRun = (runId: string) => `v1/runs/${encodeURIComponent(runId)}/comments`;
const ofComment = (id: string) => `v1/comments/${encodeURIComponent(id)}`;

/** Requests about comments. Every function throws ApiProblem. */
export const commentsApi = {
  /** Returns all comments of a run, oldest first. */
  async list(runId: string): Promise<CommentView[]> {
    const comments: CommentView[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ limit: "100", ...(cursor !== null && { cursor }) });
      const page: CommentList = await requestJson<CommentList>(`${ofRun(runId)}?${query}`);
      comments.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return comments;
  },
  create: (runId: string, body: CreateComment) =>
    requestJson<CommentView>(ofRun(runId), { method: "POST", body }),
  change: (id: string, body: ChangeComment) =>
    requestJson<CommentView>(ofComment(id), { method: "PATCH", body }),
  remove: (id: string) => requestJson<null>(ofComment(id), { method: "DELETE" }),
};
