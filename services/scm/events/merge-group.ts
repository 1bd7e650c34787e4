import { z } from "zod";
import { notTriggered } from "../answer.ts";
import { repositoryOf } from "../scm-node.ts";
import { commitOf, onEvent, repositoryEvent, sha, words } from "./event.ts";

const mergeGroupEvent = repositoryEvent.extend({
  action: words(100),
  merge_group: z.object({ head_sha: sha }),
});

/** Pull requests wait in a queue to be merged together, each of them checked before: there is nothing more to see. */
export const mergeGroup = onEvent(mergeGroupEvent, async (node, event) => {
  if (event.action !== "checks_requested") return notTriggered(`Ignored action: merge_group ${event.action}`);
  const commit = commitOf(event, event.merge_group.head_sha);
  const repository = await repositoryOf(node, commit);
  const output = {
    title: "Checked in its pull requests",
    summary:
      "Each pull request of this group was checked by itself. What they look like together is not deployed anywhere.",
  };
  const check = await repository.checks.create({
    sha: commit.sha,
    externalId: `group_${commit.sha}`,
    output,
  });
  await repository.checks.change(check, { conclusion: "neutral", output, actions: [] });
  return notTriggered("The pull requests of a merge group are checked by themselves");
});
