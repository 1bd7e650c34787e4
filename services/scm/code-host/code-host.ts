/**
 * A code host, as the use cases of this service know it. Each host has one adapter, in a folder of its own. Only the
 * adapter knows the host's API and client library. Every method throws HostError, unless it says otherwise.
 * @see HostError
 */
export interface CodeHost {
  /** Returns the installation of a repository, or null if this service has no access to it. */
  installationOf(name: RepositoryName): Promise<string | null>;
  /** Returns a repository with the access of an installation. */
  repository(of: InstalledRepository, purpose?: Purpose): Promise<RepositoryHost>;
  /** Lists every repository that an installation has access to. */
  listRepositories(installationId: string): Promise<SeenRepository[]>;
}

/** The purpose of a request. Bootstraps can wait, so they must not delay checks. */
export type Purpose = "checks" | "bootstrap";

export type RepositoryName = { owner: string; repo: string };

export type InstalledRepository = { installationId: string } & RepositoryName;

/** A repository that an installation has access to. */
export interface SeenRepository extends RepositoryName {
  id: string;
}

/** A repository at the code host. */
export interface HostedRepository {
  id: string;
  defaultBranch: string;
  archived: boolean;
  fork: boolean;
  disabled: boolean;
  /** Whether only its members can read it, and the comments on its pull requests. False if that is unknown. */
  isPrivate: boolean;
  /** The URL of its page on the code host's website. */
  page: string;
}

/** The head of an open pull request. */
export interface PullHead {
  number: number;
  sha: string;
  branch: string;
  base: string;
  /** The repository's default branch. Missing in old rows. */
  defaultBranch?: string;
  /** The author's login; null if the account was deleted or its name is unusable here. */
  author?: string | null;
  fromFork: boolean;
}

/** An open pull request as the code host returns it. */
export interface OpenPull extends PullHead {
  /** The time of the last change, ISO 8601. Earlier events are outdated. */
  updatedAt: string;
}

/** A repository, with the access of an installation. */
export interface RepositoryHost {
  /** The code host's own CI, whose workflow a bootstrap proposes. */
  readonly ci: "github" | "gitlab" | "bitbucket" | "none";
  readonly contents: RepositoryContents;
  readonly history: RepositoryHistory;
  readonly checks: RepositoryChecks;
  readonly comments: RepositoryComments;
  /** Null if people reply to a comment by quoting it. Their comments then arrive as events. */
  readonly discussions: RepositoryDiscussions | null;
  /** Returns the whole SHA of a commit by its start. Null if the code host's events and responses have whole ones. */
  readonly wholeSha: ((start: string) => Promise<string>) | null;
  read(): Promise<HostedRepository>;
  /** Returns the number of a pull request from this branch, in any state, or null. */
  findPull(branch: string): Promise<number | null>;
  /** @returns its number */
  openPull(pull: { head: string; base: string; title: string; body: string }): Promise<number>;
  /** Returns the open pull requests whose head is this commit. */
  pullsAt(sha: string): Promise<OpenPull[]>;
  /** Returns the open pull requests that contain this commit. */
  pullsWith(sha: string): Promise<OpenPull[]>;
}

/** The branches, commits, and files of a repository. */
export interface RepositoryContents {
  /** Returns the commit of a branch, or null if the branch is missing or the repository is empty. */
  branchHead(branch: string): Promise<string | null>;
  hasTag(tag: string): Promise<boolean>;
  /** Returns the names of the files and folders in the root folder. @param sha the commit */
  namesAt(sha: string): Promise<Set<string>>;
  hasFile(path: string, ref: string): Promise<boolean>;
  /** Returns the text of a file, or null if it is missing. */
  readFile(path: string, ref: string): Promise<string | null>;
  /**
   * Creates a branch with one commit that adds these files on top of another commit. No incomplete branch is visible.
   * Fails with 400, 409, or 422 if the branch exists.
   */
  addBranch(branch: string, from: NewCommit): Promise<void>;
}

/** A commit to create. */
export interface NewCommit {
  /** SHA of the commit below. */
  parent: string;
  message: string;
  /** Texts by path. */
  files: Record<string, string>;
}

/** The commit where a branch left another one. */
export interface MergeBase {
  sha: string;
  /** Every commit of the other branch since then; null if there are too many. */
  missing: string[] | null;
  /** Message of the compared commit. */
  message: string;
}

/** The history of a repository's branches. Methods throw only while the code host's limits are reached. */
export interface RepositoryHistory {
  /**
   * Returns the merge base of a commit with a branch, and the branch's commits since then. Returns null if there is
   * none, the branch is missing, or the code host takes too long.
   */
  mergeBase(sha: string, branch: string): Promise<MergeBase | null>;
  /**
   * Returns the files that changed between two commits, at most as many as the code host lists. Returns none if it takes
   * too long.
   */
  changedFiles(base: string, sha: string): Promise<string[]>;
}

/** The check runs of a repository's commits, or what the code host has instead. */
export interface RepositoryChecks {
  /** @returns the check run's id at the code host */
  create(check: NamedCheck, text: CheckText): Promise<string>;
  /** Returns the id of the check run that this service created with this id of ours, or null. */
  find(check: NamedCheck): Promise<string | null>;
  /** @param id the check run's id at the code host */
  change(id: string, check: NamedCheck, change: CheckChange): Promise<void>;
}

export interface NamedCheck {
  sha: string;
  /** Branch of the commit; null if it is unknown. */
  branch: string | null;
  /** Name that people see. */
  name: string;
  /** Our own id, which finds a check run whose creation response was lost. */
  externalId: string;
}

export interface CheckText {
  title: string;
  summary: string;
  /** Shown beside the lines. The code host accepts fifty per request. */
  annotations?: CheckAnnotation[];
}

/** A message about a position in a file. Columns are only for a position within one line. */
export interface CheckAnnotation {
  path: string;
  start_line: number;
  end_line: number;
  start_column?: number;
  end_column?: number;
  annotation_level: "failure" | "warning";
  message: string;
}

export const CHECK_CONCLUSIONS = [
  "success",
  "action_required",
  "neutral",
  "failure",
  "cancelled",
  "timed_out",
] as const;
export type CheckConclusion = (typeof CHECK_CONCLUSIONS)[number];

export interface CheckChange {
  /** Null while in progress. */
  conclusion: CheckConclusion | null;
  detailsUrl?: string;
  output: CheckText;
  /** Buttons, at most three. */
  actions: { label: string; description: string; identifier: string }[];
}

/** The comments on a repository's pull requests. */
export interface RepositoryComments {
  /** Returns this service's own comment on a pull request that contains this marker, or null. */
  find(pull: number, marker: string): Promise<string | null>;
  /** @returns its id at the code host */
  create(pull: number, body: string): Promise<string>;
  /** @returns false if the comment was deleted */
  change(pull: number, id: string, body: string): Promise<boolean>;
  /** Deletes a comment, unless it is deleted already. */
  remove(pull: number, id: string): Promise<void>;
}

/** Comments on pull requests that people can reply to, and at some code hosts resolve. The id of a discussion includes its first comment's. */
export interface RepositoryDiscussions extends RepositoryComments {
  /** Whether people can resolve them at the code host. */
  readonly canResolve: boolean;
  /** Returns the current state of a discussion, or null if it was deleted. */
  read(pull: number, id: string): Promise<Discussion | null>;
  /** Resolves or reopens a discussion. */
  resolve(pull: number, id: string, isResolved: boolean): Promise<void>;
}

export interface Discussion {
  /** Null if its state cannot change. */
  isResolved: boolean | null;
  /** The login of the person who resolved it. */
  resolvedBy: string | null;
  /** Returns whether a comment is still there, or too old to know. */
  mayHave: (id: string) => boolean;
  /** The replies of people, oldest first. */
  replies: DiscussionReply[];
}

export interface DiscussionReply {
  id: string;
  body: string;
  /** Its page on the code host's website. */
  url: string;
  /** The time of its last change, ISO 8601. */
  updatedAt: string;
  /** The id is unique among all code hosts. */
  account: { id: string; login: string };
}
