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
  title: string;
  body: string;
  head: { ref: string; sha: string };
  base: { ref: string };
  fork: boolean;
}

export interface HostedComment {
  id: number;
  pull: number;
  body: string;
  /** The app that wrote it; null for a person. */
  app: number | null;
}

type Files = Record<string, string>;

const shaOf = (value: unknown) => createHash("sha1").update(JSON.stringify(value)).digest("hex");

/** A repository at the code host of the tests. */
export class HostedRepository {
  readonly id = randomInt(1_000, 1_000_000_000);
  readonly owner: string;
  readonly name: string;
  readonly trees = new Map<string, Files>();
  readonly commits = new Map<string, { tree: string; parents: string[]; message: string }>();
  readonly branches = new Map<string, string>();
  readonly pulls: HostedPull[] = [];
  readonly checks: HostedCheck[] = [];
  readonly comments: HostedComment[] = [];
  defaultBranch = "main";
  archived = false;
  fork = false;
  /** The app was not given it, or it is gone. */
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

  /** The files that a branch or a commit has. */
  filesAt(ref: string): Files {
    const commit = this.commits.get(this.branches.get(ref) ?? ref);
    return this.trees.get(commit?.tree ?? "") ?? {};
  }

  /** Opens a pull request from a new branch with one more commit. */
  open(branch: string, { fork = false, files = {} }: { fork?: boolean; files?: Files } = {}): HostedPull {
    const base = this.branches.get(this.defaultBranch) ?? "";
    const tree = this.addTree({ ...this.filesAt(this.defaultBranch), ...files });
    const sha = this.addCommit(tree, [base], `Work on ${branch}`);
    this.branches.set(branch, sha);
    return this.addPull({ head: branch, base: this.defaultBranch, title: branch, body: "" }, fork);
  }

  addPull(
    { head, base, title, body }: { head: string; base: string; title: string; body: string },
    fork = false,
  ): HostedPull {
    const pull: HostedPull = {
      number: this.pulls.length + 1,
      state: "open",
      merged: false,
      title,
      body,
      head: { ref: head, sha: this.branches.get(head) ?? "" },
      base: { ref: base },
      fork,
    };
    this.pulls.push(pull);
    return pull;
  }
}
