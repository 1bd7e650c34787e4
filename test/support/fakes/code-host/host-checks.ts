import { randomInt } from "node:crypto";
import { z } from "zod";
import { APP_ID, type HostAnswers, Refusal } from "./host-answer.ts";

const checkBody = z.looseObject({
  name: z.string().optional(),
  head_sha: z.string().optional(),
  status: z.string(),
  conclusion: z.string().optional(),
  external_id: z.string().optional(),
  details_url: z.string().optional(),
  output: z.object({
    title: z.string(),
    summary: z.string(),
    annotations: z.array(z.looseObject({})).max(50).optional(),
  }),
  actions: z
    .array(
      z.object({
        label: z.string().max(20),
        description: z.string().max(40),
        identifier: z.string().max(20),
      }),
    )
    .max(3)
    .default([]),
});
/** The code host's description has a limit in characters, but the host counts bytes. */
function refuseLong({ title, summary }: z.infer<typeof checkBody>["output"]): void {
  if (Buffer.byteLength(summary) > 65_535) throw new Refusal(422, "summary is too long");
  if (Buffer.byteLength(title) > 255) throw new Refusal(422, "title is too long");
}

const commentBody = z.object({ body: z.string().max(65_536) });

/** Handlers for check runs and comments. */
export const CHECK_ANSWERS: HostAnswers = {
  "POST check-runs": (repository, request) => {
    const {
      actions,
      conclusion = null,
      external_id = null,
      details_url = null,
      output,
      ...body
    } = checkBody.parse(request.body);
    refuseLong(output);
    const head_sha = body.head_sha ?? "";
    if (!repository.commits.has(head_sha)) throw new Refusal(422, `No commit found for SHA: ${head_sha}`);
    const { name = "", status } = body;
    const check = {
      id: randomInt(1, 2 ** 40),
      head_sha,
      name,
      status,
      conclusion,
      external_id,
      details_url,
      output,
      actions,
    };
    repository.checks.push(check);
    return check;
  },
  "PATCH check-runs": (repository, request) => {
    const [, which = ""] = request.parts;
    const check = repository.checks.find(({ id }) => id === Number(which));
    if (!check) throw new Refusal(404, "Not Found");
    const {
      status,
      conclusion = null,
      details_url = check.details_url,
      output,
      actions,
    } = checkBody.parse(request.body);
    refuseLong(output);
    // The host keeps the annotations of earlier updates.
    const annotations = [...(check.output.annotations ?? []), ...(output.annotations ?? [])];
    return Object.assign(check, {
      ...{ status, conclusion, details_url, actions },
      output: { ...output, ...(annotations.length > 0 && { annotations }) },
    });
  },
  "GET check-runs": (repository, request) => {
    const check = repository.checks.find(({ id }) => id === Number(request.parts[1]));
    if (!check) throw new Refusal(404, "Not Found");
    const { per_page = 30, page = 1 } = request.query;
    const from = (Number(page) - 1) * Number(per_page);
    return (check.output.annotations ?? []).slice(from, from + Number(per_page)).map(annotation => ({
      ...{ start_column: null, end_column: null, title: null, raw_details: null },
      ...annotation,
    }));
  },
  "GET issues": (repository, request) => {
    const [, which = ""] = request.parts;
    const [size, page] = [Number(request.query.per_page ?? 30), Number(request.query.page ?? 1)];
    return repository.comments
      .filter(({ pull }) => pull === Number(which))
      .slice((page - 1) * size, page * size)
      .map(({ id, body, app }) => ({
        id,
        body,
        performed_via_github_app: app === null ? null : { id: app },
      }));
  },
  "POST issues": (repository, request) => {
    const [, which = ""] = request.parts;
    const comment = {
      id: randomInt(1, 2 ** 40),
      pull: Number(which),
      app: APP_ID,
      ...commentBody.parse(request.body),
    };
    repository.comments.push(comment);
    return comment;
  },
  "PATCH issues": (repository, request) => {
    const comment = repository.comments.find(({ id }) => id === Number(request.parts[2]));
    if (!comment) throw new Refusal(404, "Not Found");
    return Object.assign(comment, commentBody.parse(request.body));
  },
  "DELETE issues": (repository, request) => {
    const at = repository.comments.findIndex(({ id }) => id === Number(request.parts[2]));
    if (at === -1) throw new Refusal(404, "Not Found");
    repository.comments.splice(at, 1);
    return null;
  },
};
