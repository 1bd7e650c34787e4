import { createHash, randomInt } from "node:crypto";

export interface HostedCheck {
  id: number;
  head_sha: string;
  name: string;
  status: string;
  conclusion: string | null;
  external_id: string | null;
  details_url: string | null;
  output: { title: string; summary: string; annotations?: object[] | undefined };
  actions: { label: string; description: string; identifier: string }[];
}

export interface HostedPull {
  number: number;
  state: "open" | "closed";
  merged: boolean;
  /** The commit of its base after the merge. */
  mergeSha: string | null;
  title: string;
  body: string;
  head: { ref: string; sha: string };
  base: { ref: string };
  fork: boolean;
  /** The author's login. */
  author: string;
  /** The time of the last change, ISO 8601. */
  updatedAt: string;
}

export interface HostedComment {
  id: number;
  pull: number;
  body: string;
  /** The app that wrote it; null for a user. */
  app: number | null;
}

type Files = Record<string, string>;

/** A file that differs between two commits. */
export interface ChangedFile {
  filename: string;
  status: "added" | "modified" | "removed";
  content: string;
}

export const shaOf = (value: unknown) => createHash("sha1").update(JSON.stringify(value)).digest("hex");

/** A repository at the fake code host. */
export class HostedRepository {
  readonly id = randomInt(1_000, 1_000_000_000);
  readonly owner: string;
  readonly name: string;
  readonly trees = new Map<string, Files>();
  readonly commits = new Map<string, { tree: string; parents: string[]; message: string }>();
  readonly branches = new Map<string, string>();
  readonly tags = new Map<string, string>();
  readonly pulls: HostedPull[] = [];
  readonly checks: HostedCheck[] = [];
  readonly comments: HostedComment[] = [];
  defaultBranch = "main";
  archived = false;
  fork = false;
  isPrivate = true;
  /** Whether the app has no access, or the repository was deleted. */
  hidden = false;

  constructor(owner: string, name: string, files: Files | null = { "README.md": "# Hello" }) {
    this.owner = owner;
    this.name = name;
    if (files) this.branches.set("main", this.addCommit(this.addTree(files), [], "Begin"));
  }

  addTree(files: Files): string {
    const sha = shaOf({ files });
    this.trees.set(sha, files);
    return sha;
  }

  addCommit(tree: string, parents: string[], message: string): string {
    const sha = shaOf({ tree, parents, message, at: this.commits.size, id: this.id });
    this.commits.set(sha, { tree, parents, message });
    return sha;
  }

  /** Returns the files of a branch or a commit. */
  filesAt(ref: string): Files {
    const commit = this.commits.get(this.branches.get(ref) ?? ref);
    return this.trees.get(commit?.tree ?? "") ?? {};
  }

  /** Opens a pull request from a new branch with one more commit. */
  open(
    branch: string,
    {
      fork = false,
      files = {},
      base = this.defaultBranch,
    }: { fork?: boolean; files?: Files; base?: string } = {},
  ): HostedPull {
    this.branches.set(branch, this.branches.get(base) ?? "");
    this.push(branch, files);
    return this.addPull({ head: branch, base, title: branch, body: "" }, fork);
  }

  addPull(
    { head, base, title, body }: { head: string; base: string; title: string; body: string },
    fork = false,
  ): HostedPull {
    const pull: HostedPull = {
      number: this.pulls.length + 1,
      state: "open",
      merged: false,
      mergeSha: null,
      author: "octocat",
      updatedAt: new Date().toISOString(),
      title,
      body,
      head: { ref: head, sha: this.branches.get(head) ?? "" },
      base: { ref: base },
      fork,
    };
    this.pulls.push(pull);
    return pull;
  }

  /** Returns the branches at this commit. A fork's branch is in another repository. */
  ownBranchesAt(sha: string): string[] {
    const isOfFork = (branch: string) => this.pulls.some(({ fork, head }) => fork && head.ref === branch);
    return [...this.branches].flatMap(([branch, head]) =>
      head === sha && !isOfFork(branch) ? [branch] : [],
    );
  }

  /** Returns whether a pull request contains a commit that its base lacks. */
  brings({ head, base }: HostedPull, sha: string): boolean {
    return this.#reaches(head.sha, sha) && !this.#reaches(this.branches.get(base.ref) ?? "", sha);
  }

  #reaches(from: string, sha: string): boolean {
    return from === sha || (this.commits.get(from)?.parents ?? []).some(parent => this.#reaches(parent, sha));
  }

  /** Adds a commit to a branch. @returns its SHA */
  push(branch: string, files: Files): string {
    const parent = this.branches.get(branch) ?? "";
    const tree = this.addTree({ ...this.filesAt(branch), ...files });
    const sha = this.addCommit(tree, [parent], `Work on ${branch}`);
    this.branches.set(branch, sha);
    return sha;
  }

  /** Merges a pull request in one of the host's ways. @returns the base's new commit */
  merge(pull: HostedPull, how: "merge" | "squash" | "rebase"): string {
    const base = this.branches.get(pull.base.ref) ?? "";
    const tree = this.addTree({ ...this.filesAt(pull.base.ref), ...this.filesAt(pull.head.sha) });
    const message = `Merge #${pull.number} by ${how}`;
    // A rebase of one commit is another commit with the same change.
    const sha = this.addCommit(tree, how === "merge" ? [base, pull.head.sha] : [base], message);
    this.branches.set(pull.base.ref, sha);
    Object.assign(pull, { state: "closed", merged: true, mergeSha: sha });
    return sha;
  }

  /** Returns the head's commits since the merge base, oldest first. Returns null without a common commit. */
  compare(base: string, head: string): { mergeBase: string; ahead: string[]; behind: number } | null {
    const [ofBase, ofHead] = [this.#historyOf(base), this.#historyOf(head)];
    const mergeBase = ofHead.find(sha => ofBase.includes(sha));
    if (mergeBase === undefined) return null;
    const ahead = ofHead.filter(sha => !ofBase.includes(sha)).reverse();
    return { mergeBase, ahead, behind: ofBase.filter(sha => !ofHead.includes(sha)).length };
  }

  /** Returns the files that differ between two commits or branches. */
  changedFiles(base: string, head: string): ChangedFile[] {
    const [old, now] = [this.filesAt(base), this.filesAt(head)];
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted().flatMap(filename => {
      const [was, is] = [old[filename], now[filename]];
      if (was === is) return [];
      const status = was === undefined ? "added" : is === undefined ? "removed" : "modified";
      return [{ filename, status, content: is ?? was ?? "" }];
    });
  }

  /** Returns the commits of a branch, newest first. */
  #historyOf(ref: string): string[] {
    const found = new Set<string>();
    const left = [this.branches.get(ref) ?? ref];
    for (let sha = left.shift(); sha !== undefined; sha = left.shift()) {
      const commit = this.commits.get(sha);
      if (!commit || found.has(sha)) continue;
      found.add(sha);
      left.push(...commit.parents);
    }
    return [...found];
  }
}
