import { ACTION_TAG } from "../../shared/project-config/starter/choose-runner.ts";
import { gitLine } from "../git.ts";

/** A code host answers in a second or two. Without an answer, the workflow runs vrs another way. */
const ANSWERS_WITHIN_MS = 10_000;

/** Returns the owner's own copy of the action, as the bootstrap pull request finds it; null where there is none. */
export async function findAction(folder: string): Promise<string | null> {
  const within = { withinMs: ANSWERS_WITHIN_MS };
  const remote = (await gitLine(folder, ["remote", "get-url", "origin"], within))?.replace(
    /(\.git)?\/?$/,
    "",
  );
  const owner = remote === undefined ? null : ownerOf(remote);
  if (!remote || owner === null) return null;
  const address = `${remote.replace(/[\w.-]+$/, "vrs")}.git`;
  // Prevents a password prompt. A user of the repository has stored credentials already.
  const lsRemote = [
    "-c",
    "core.askPass=true",
    "-c",
    "credential.interactive=false",
    "ls-remote",
    "--tags",
    address,
  ];
  const tag = await gitLine(folder, [...lsRemote, `refs/tags/${ACTION_TAG}`], within);
  return tag ? `${owner}/vrs` : null;
}

/** Returns the owner of a repository from its remote URL; null if there is none. */
function ownerOf(remote: string): string | null {
  return /^(?:\w+:\/\/[^/]+\/|[^/:]+@[^/:]+:)([\w.-]+)\/[\w.-]+?\/?$/.exec(remote.trim())?.[1] ?? null;
}
