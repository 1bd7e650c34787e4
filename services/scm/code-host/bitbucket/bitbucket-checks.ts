import { createHash } from "node:crypto";
import { z } from "zod";
import { cut } from "../../../../shared/text/text-limits.ts";
import type { CheckChange, CheckConclusion, CheckText, NamedCheck, RepositoryChecks } from "../code-host.ts";
import { path } from "../token-api.ts";
import { orMissing, statusDescription } from "../token-responses.ts";
import type { BitbucketAccess } from "./bitbucket-api.ts";

/** Bitbucket refuses longer names and URLs. */
const NAME_LIMIT = { max: 255, unit: "characters" } as const;
const MAX_URL_CHARS = 450;
/** With its prefix, a key has at most 40 characters. */
const KEY_DIGITS = 32;

type State = "INPROGRESS" | "SUCCESSFUL" | "FAILED" | "STOPPED";

/** A status has no state for an open review. Only a failed or unfinished one keeps people from merging. */
const STATES: Record<CheckConclusion, State> = {
  success: "SUCCESSFUL",
  neutral: "SUCCESSFUL",
  action_required: "FAILED",
  failure: "FAILED",
  timed_out: "FAILED",
  cancelled: "STOPPED",
};

const status = z.object({ key: z.string() });

/** The build statuses of a repository's commits. A commit has one of each key, which changes in place. */
export class BitbucketChecks implements RepositoryChecks {
  readonly #access: BitbucketAccess;

  constructor(access: BitbucketAccess) {
    this.#access = access;
  }

  async create(check: NamedCheck, { title }: CheckText): Promise<string> {
    await this.#post(check, this.#bodyOf(check, { state: "INPROGRESS", description: title }));
    return this.#idOf(check);
  }

  async find(check: NamedCheck): Promise<string | null> {
    const { api } = this.#access;
    const at = this.#pathOf(check) + path`/${keyOf(check)}`;
    return (await orMissing(api.send(status, "GET", at))) && this.#idOf(check);
  }

  async change(
    _id: string,
    check: NamedCheck,
    { conclusion, detailsUrl, output }: CheckChange,
  ): Promise<void> {
    const { api } = this.#access;
    const state = conclusion === null ? "INPROGRESS" : STATES[conclusion];
    const body = this.#bodyOf(check, { state, description: output.title, url: detailsUrl });
    const changed = api.send(status, "PUT", this.#pathOf(check) + path`/${keyOf(check)}`, { body });
    if ((await orMissing(changed)) === null) await this.#post(check, body);
  }

  async #post(check: NamedCheck, body: Record<string, unknown>): Promise<void> {
    await this.#access.api.send(status, "POST", this.#pathOf(check), { body });
  }

  #pathOf({ sha }: NamedCheck): string {
    return this.#access.root + path`/commit/${sha}/statuses/build`;
  }

  #bodyOf(
    check: NamedCheck,
    { state, description, url }: { state: State; description: string; url?: string | undefined },
  ): Record<string, unknown> {
    const isUsable = url !== undefined && url.length <= MAX_URL_CHARS;
    return {
      ...{ state, key: keyOf(check), name: cut(check.name, NAME_LIMIT) },
      description: statusDescription(description),
      // Every status needs a link.
      url: isUsable ? url : `${this.#access.page}/commits/${check.sha}`,
      ...(check.branch !== null && { refname: check.branch }),
    };
  }

  /** Check runs of all hosts are found by their ids, which are unique here by the commit and the key. */
  #idOf(check: NamedCheck): string {
    const digest = digestOf(`${check.sha} ${keyOf(check)}`).slice(0, 24);
    return `${this.#access.of.connectionId}-${digest}`;
  }
}

/** Returns the key of a status, which is equal for all commits. Names can be longer than keys. */
function keyOf({ name }: NamedCheck): string {
  return `vrs-${digestOf(name).slice(0, KEY_DIGITS)}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
