import { z } from "zod";
import type { HostedRepository, OpenPull, RepositoryHost } from "../code-host.ts";
import { pullsContaining } from "../fork-pulls.ts";
import { path } from "../token-api.ts";
import {
  type BitbucketAccess,
  type BitbucketPull,
  bitbucketPull,
  isOfFork,
  loginOf,
} from "./bitbucket-api.ts";
import { BitbucketChecks } from "./bitbucket-checks.ts";
import { BitbucketComments } from "./bitbucket-comments.ts";
import { BitbucketContents } from "./bitbucket-contents.ts";
import { BitbucketHistory } from "./bitbucket-history.ts";

/** Later pull requests are not searched. */
const MAX_PULL_PAGES = 10;
/** A pull request has few pages of commits. */
const MAX_COMMIT_PAGES = 4;
const ALL_STATES = ["OPEN", "MERGED", "DECLINED", "SUPERSEDED"];

const repository = z.object({
  is_private: z.boolean().default(false),
  parent: z.looseObject({}).nullish(),
  /** Null in an empty repository. */
  mainbranch: z.object({ name: z.string() }).nullish(),
  links: z.object({ html: z.object({ href: z.string() }) }),
});
const commit = z.object({ hash: z.string() });

/** A repository, with the access of a connection. */
export class BitbucketRepository implements RepositoryHost {
  readonly ci = "bitbucket";
  readonly #access: BitbucketAccess;
  readonly contents: BitbucketContents;
  readonly history: BitbucketHistory;
  readonly checks: BitbucketChecks;
  readonly comments: BitbucketComments;
  /** Comments have replies. */
  readonly discussions: BitbucketComments;

  constructor(access: BitbucketAccess) {
    this.#access = access;
    this.contents = new BitbucketContents(access);
    this.history = new BitbucketHistory(access);
    this.checks = new BitbucketChecks(access);
    this.comments = new BitbucketComments(access);
    this.discussions = this.comments;
  }

  readonly wholeSha = async (start: string): Promise<string> => {
    const { api, root } = this.#access;
    return (await api.send(commit, "GET", root + path`/commit/${start}`)).hash;
  };

  async read(): Promise<HostedRepository> {
    const { api, root, of } = this.#access;
    const read = await api.send(repository, "GET", root);
    return {
      // A repository can have connections of several teams, each with its own checks.
      id: of.connectionId,
      defaultBranch: read.mainbranch?.name ?? "main",
      fork: read.parent != null,
      // Repositories can't be archived or disabled.
      ...{ archived: false, disabled: false },
      isPrivate: read.is_private,
      page: read.links.html.href,
    };
  }

  async findPull(branch: string): Promise<number | null> {
    const q = `source.branch.name = ${JSON.stringify(branch)}`;
    const all = await this.#pulls({ state: ALL_STATES, q });
    return all.find(pull => !isOfFork(pull))?.id ?? null;
  }

  async openPull({ head, base, title, body }: Parameters<RepositoryHost["openPull"]>[0]): Promise<number> {
    const { api, root } = this.#access;
    const opened = await api.send(z.object({ id: z.int32() }), "POST", `${root}/pullrequests`, {
      body: {
        title,
        description: body,
        source: { branch: { name: head } },
        destination: { branch: { name: base } },
        close_source_branch: true,
      },
    });
    return opened.id;
  }

  async pullsAt(sha: string): Promise<OpenPull[]> {
    const open = await this.#pulls({ state: ["OPEN"] });
    return this.#asOpen(open.filter(pull => isAt(pull, sha)).map(pull => ({ pull, sha })));
  }

  /** The search for the pull requests of a commit is an app of its own, which few repositories have. */
  async pullsWith(sha: string): Promise<OpenPull[]> {
    const found = await pullsContaining(
      await this.#pulls({ state: ["OPEN"] }),
      pull => ({ isOfFork: isOfFork(pull), isAtCommit: isAt(pull, sha) }),
      async pull => (await this.#commitsOf(pull)).includes(sha),
    );
    const heads = found.map(async pull => {
      const head = isAt(pull, sha) ? sha : (await this.#commitsOf(pull))[0];
      return head === undefined ? [] : [{ pull, sha: head }];
    });
    return this.#asOpen((await Promise.all(heads)).flat());
  }

  /** Returns the whole SHAs of a pull request's commits, newest first. */
  async #commitsOf({ id }: BitbucketPull): Promise<string[]> {
    const { api, root } = this.#access;
    const commits = await api.list(commit, root + path`/pullrequests/${id}/commits`, {}, MAX_COMMIT_PAGES);
    return commits.map(({ hash }) => hash);
  }

  #pulls(query: { state: string[]; q?: string }): Promise<BitbucketPull[]> {
    const { api, root } = this.#access;
    return api.list(bitbucketPull, `${root}/pullrequests`, query, MAX_PULL_PAGES);
  }

  async #asOpen(pulls: { pull: BitbucketPull; sha: string }[]): Promise<OpenPull[]> {
    if (pulls.length === 0) return [];
    const { defaultBranch } = await this.read();
    return pulls.map(({ pull, sha }) => ({
      number: pull.id,
      sha,
      branch: pull.source.branch.name,
      base: pull.destination.branch.name,
      defaultBranch,
      author: loginOf(pull.author),
      fromFork: isOfFork(pull),
      updatedAt: pull.updated_on,
    }));
  }
}

/** Returns whether a commit is the head of a pull request. */
function isAt({ source }: BitbucketPull, sha: string): boolean {
  return source.commit != null && sha.startsWith(source.commit.hash);
}
