/** Settings of an adapter. The options of `vrs upload` have the same meaning. */
export interface AdapterSettings {
  /** Whether to collect and upload. Default: whether the variable `CI` is set, or `vrs dev` runs. */
  readonly enabled?: boolean;
  /** Project of vrs. Default: that of `service.config.ts`, else `owner/repo` of the git remote. */
  readonly project?: string;
  /** Name of the build, if a commit has several. */
  readonly name?: string;
  readonly branch?: string;
  /** URL to show with the build, such as that of the CI job. */
  readonly url?: string;
  /** Share of changed pixels above which a screenshot needs review, 0–1. */
  readonly threshold?: number;
  /** Whether the tests make only some of the screenshots, as with `--grep`. Default: whether a test failed. */
  readonly subset?: boolean;
  /** Text that all shards of a test run share. Default: the id of the CI workflow. */
  readonly nonce?: string;
  /** Path of `service.config.ts`. Default: the nearest one above the tests. */
  readonly config?: string;
  /** Whether to wait for the result. Default: true. */
  readonly wait?: boolean;
  /** How long to wait, minutes. Default: 10. */
  readonly timeoutMinutes?: number;
  /** Whether the test run fails if screenshots need review. Default: false. */
  readonly failOnChanges?: boolean;
  /** Whether the test run fails if the upload or the build fails. Default: false. */
  readonly failOnError?: boolean;
}
